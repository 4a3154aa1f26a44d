import type { ElectronApplication } from 'playwright'

/** Can delay main's answers to its threads: an export asks where files are stored, so it stops at a chosen point. */
export async function watchAnswers(app: ElectronApplication) {
  await app.evaluate(() => {
    const { Worker } = process.getBuiltinModule('node:worker_threads')
    const send = Worker.prototype.postMessage
    const answers = { isHeld: false, held: [] as (() => void)[] }
    Object.assign(globalThis, { answers })
    Worker.prototype.postMessage = function (message: { readonly kind: string }, ...others) {
      const give = (): void => send.call(this, message, ...others)
      if (message.kind === 'answer' && answers.isHeld) answers.held.push(give)
      else give()
    }
  })
  type Answers = { isHeld: boolean; held: (() => void)[] }
  const change = (isHeld: boolean) =>
    app.evaluate((_electron, isHeld) => {
      const answers = Reflect.get(globalThis, 'answers') as Answers
      answers.isHeld = isHeld
      if (!isHeld) for (const give of answers.held.splice(0)) give()
    }, isHeld)
  /** How many answers are held back. */
  const held = () => app.evaluate(() => (Reflect.get(globalThis, 'answers') as Answers).held.length)
  return { held, hold: () => change(true), release: () => change(false) }
}
