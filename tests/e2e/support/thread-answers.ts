import type { ElectronApplication } from 'playwright'

/**
 * Counts the answers that main gives its threads, and can hold back all after a number of them: an export asks where each
 * file lies, so it stands still where the test wants it to.
 */
export async function watchAnswers(app: ElectronApplication) {
  await app.evaluate(() => {
    const { Worker } = process.getBuiltinModule('node:worker_threads')
    const send = Worker.prototype.postMessage
    const answers = { given: 0, allowed: Number.POSITIVE_INFINITY, held: [] as (() => void)[] }
    Object.assign(globalThis, { answers })
    Worker.prototype.postMessage = function (message: { readonly kind: string }, ...others) {
      const give = (): void => send.call(this, message, ...others)
      if (message.kind !== 'answer') return give()
      if (answers.given >= answers.allowed) return void answers.held.push(give)
      answers.given += 1
      give()
    }
  })
  type Answers = { given: number; allowed: number; held: (() => void)[] }
  const change = (allowed: number | null) =>
    app.evaluate((_electron, allowed) => {
      const answers = Reflect.get(globalThis, 'answers') as Answers
      answers.allowed = allowed ?? Number.POSITIVE_INFINITY
      if (allowed === null) for (const give of answers.held.splice(0)) give()
      else answers.given = 0
    }, allowed)
  const look = () =>
    app.evaluate(() => {
      const { given, held } = Reflect.get(globalThis, 'answers') as Answers
      return { given, held: held.length }
    })
  return { look, hold: (after: number) => change(after), release: () => change(null) }
}
