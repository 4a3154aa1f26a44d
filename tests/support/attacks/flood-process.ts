import { floods } from './floods.ts'

// One flood in its own process: `node flood-process.ts NAME '[ARGUMENT, ...]'`. Prints its number of connections every
// second.
const [name = '', given = '[]'] = process.argv.slice(2)
const flood = floods[name as keyof typeof floods] as (...given: readonly unknown[]) => ReturnType<typeof floods.idlers>
const { made } = flood(...(JSON.parse(given) as unknown[]))
const say = (): void => void process.stdout.write(`${made()}\n`)
say()
setInterval(say, 1000)
// The parent process has ended.
process.stdin.on('end', () => process.exit()).resume()
