import { createKeychain } from '../../../packages/library/secrets/keychain.ts'

// Runs steps on the keychain of the bus in its environment, since one process keeps to one bus: `read ACCOUNT`,
// `write ACCOUNT VALUE`, `remove ACCOUNT`, as a JSON array of arrays. Prints what came of each, and how long it took.
const keychain = createKeychain()
const done: { result: unknown; ms: number }[] = []
for (const [step, account = '', value = ''] of JSON.parse(process.argv[2] ?? '[]') as string[][]) {
  const started = performance.now()
  const result =
    step === 'read'
      ? await keychain.read(account)
      : step === 'write'
        ? await keychain.write(account, value)
        : await keychain.remove(account)
  done.push({ result, ms: Math.round(performance.now() - started) })
}
console.log(JSON.stringify(done))
