/** The sound of a leaf that lands: a burst of filtered noise. */

const LENGTH = .26 // seconds
const ATTACK = .012 // seconds until it is loudest
const BAND = [3400, 1100] // Hz, from the start to the end
const LOUDEST = .16

let audio = null
let noise = null

function noiseOf({ sampleRate }) {
  const buffer = new AudioBuffer({ length: LENGTH * sampleRate, sampleRate })
  const samples = buffer.getChannelData(0)
  // Paper crackles: the noise has grains.
  let grain = 1
  for (let k = 0; k < samples.length; k += 1) {
    if (Math.random() < .004) grain = .35 + Math.random()
    samples[k] = grain * (2 * Math.random() - 1)
  }
  return buffer
}

/** Plays the sound, with a loudness from 0 to 1. Without a gesture of the reader on this page it does nothing. */
export function rustle(loudness) {
  if (navigator.userActivation?.hasBeenActive !== true || !window.AudioContext) return
  audio ??= new AudioContext()
  audio.resume()
  noise ??= noiseOf(audio)
  const now = audio.currentTime
  const source = new AudioBufferSourceNode(audio, { buffer: noise, playbackRate: .9 + .2 * Math.random() })
  const band = new BiquadFilterNode(audio, { type: 'bandpass', Q: .6 })
  band.frequency.setValueAtTime(BAND[0], now)
  band.frequency.exponentialRampToValueAtTime(BAND[1], now + LENGTH)
  const gain = new GainNode(audio, { gain: 0 })
  gain.gain.linearRampToValueAtTime(LOUDEST * loudness, now + ATTACK)
  gain.gain.setTargetAtTime(0, now + ATTACK, LENGTH / 5)
  source.connect(band).connect(gain).connect(audio.destination)
  source.start()
}
