/** What the paper says when the picture of a page cannot be had, and when to ask for it again. */

import { make, style, wordButton } from './dom.js'

const AGAIN = 4000; // ms between attempts while nobody answers

const pause = (ms) => new Promise((resume) => {
  const timer = setTimeout(resume, ms)
  addEventListener('online', () => {
    clearTimeout(timer)
    resume()
  }, { once: true })
})

/** Resolves when it is worth while to ask for an image again. */
export async function mended(face, address) {
  let answer, words
  try {
    answer = await fetch(address, { cache: 'no-store' })
    words = answer.ok ? {} : await answer.json()
  } catch {
    words = {}
  }
  if (answer?.ok) return answer.headers.get('content-type')?.startsWith('image/') ? pause(AGAIN) : never()
  // Without a reason it is the library that is away, not the page that is spoilt.
  if (!words.error) return pause(AGAIN)
  await style('controls')
  const drying = face.querySelector('.drying, .bare p:last-child') ?? face
  const before = drying.textContent
  drying.textContent = words.error
  drying.classList.add('spoilt')
  if (words.retry === false) return never()
  await new Promise((resume) => {
    const again = wordButton('Try again', 'line hot', () => {
      drying.textContent = before
      resume()
    })
    drying.append(again)
  })
}

const never = () => new Promise(() => {})
