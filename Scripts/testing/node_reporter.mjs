// Reports the tests of node as JUnit cases. Unlike node's own report, it names the file of each test.
const escape = (text) => String(text).replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`)
  .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '?')

const UNASKED = 'test name does not match pattern'

/** Writes the results of tests, in the order in which they end. */
export default async function* report(events) {
  yield '<testsuite>\n'
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail' || data.skip === UNASKED) continue
    // A file is reported as a test if it has no tests or crashes.
    const isFile = data.name === data.file
    if (isFile && type === 'test:pass') continue
    const name = isFile ? '' : data.name
    const file = data.file?.replace(`${process.cwd()}/`, '') ?? ''
    yield `<testcase classname="${escape(file)}" name="${escape(name)}" time="${data.details.duration_ms / 1000}">`
    if (type === 'test:fail') yield `<failure>${escape(data.details.error?.message)}</failure>`
    else if (data.skip) yield '<skipped/>'
    yield '</testcase>\n'
  }
  yield '</testsuite>\n'
}
