import { floods } from './floods.ts'

// One flood in a process of its own: `node flood-process.ts NAME '[ARGUMENT, ...]'`. Says how many connections it has made, once a second.
const [name = '', given = '[]'] = process.argv.slice(2)
const flood = floods[name as keyof typeof floods] as (...given: readonly unknown[]) => ReturnType<typeof floods.idlers>
const { made } = flood(...(JSON.parse(given) as unknown[]))
const say = (): void => void process.stdout.write(`${made()}\n`)
say()
setInterval(say, 1000)
// Whoever started it has ended.
process.stdin.on('end', () => process.exit()).resume()
