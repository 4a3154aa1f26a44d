/**
 * `npm run torture -- NAME [--size N] [--seed N] [--twin NAME] [--short]`: tests one promise on the built product as a black
 * box. Progress goes to stderr, figures to the last line of stdout, the verdict to the exit code. `--list` prints all names.
 */

import { parseArgs } from 'node:util'

import { ensureBuilt } from './runtime/built.ts'
import { ensureSystem } from './runtime/debian.ts'
import { endWithNpmShell } from './runtime/npm-shell.ts'
import { runScript, Unavailable } from './runtime/unavailable.ts'
import { tortures } from './torture/registry.ts'
import { runTorture, usualSeed } from './torture/run.ts'
import { lineOf, type Torture } from './torture/torture.ts'

endWithNpmShell()

/** Further problems would say the same. */
const shownProblems = 20

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean', default: false },
    size: { type: 'string' },
    seed: { type: 'string' },
    twin: { type: 'string' },
    short: { type: 'boolean', default: false },
  },
})

function list(): void {
  for (const { name, goal, title, size, unit, twins } of tortures) {
    console.log(`${name.padEnd(13)} ${goal.padEnd(4)} ${title} [${size.long} ${unit}; short ${size.short}]`)
    for (const [twin, breaks] of Object.entries(twins)) console.log(`${' '.repeat(19)}--twin ${twin}: ${breaks}`)
  }
}

function wholeNumber(text: string | undefined, usual: number): number {
  const value = text === undefined ? usual : Number(text)
  if (!Number.isSafeInteger(value) || value < 0) throw new Unavailable('Torture', `${text} is no whole number.`)
  return value
}

function chosen(): Torture {
  const [name = ''] = positionals
  const torture = tortures.find((one) => one.name === name)
  if (torture === undefined)
    throw new Unavailable('Torture', `there are these: ${tortures.map((t) => t.name).join(', ')}`)
  if (options.twin !== undefined && torture.twins[options.twin] === undefined) {
    throw new Unavailable('Torture', `${name} has these twins: ${Object.keys(torture.twins).join(', ')}`)
  }
  return torture
}

await runScript(async () => {
  if (options.list) return (list(), 0)
  const torture = chosen()
  await ensureSystem(torture.needs ?? [])
  await ensureBuilt()
  const seed = wholeNumber(options.seed, usualSeed)
  const size = wholeNumber(options.size, options.short ? torture.size.short : torture.size.long)
  const began = performance.now()
  const say = (text: string): void =>
    console.error(`${((performance.now() - began) / 1000).toFixed(0).padStart(5)} s  ${text}`)
  const verdict = await runTorture(torture, { size, seed, twin: options.twin ?? null, say })
  const problems = [...new Set(verdict.broken)]
  for (const problem of problems.slice(0, shownProblems)) console.error(`broken: ${problem}`)
  if (problems.length > shownProblems) console.error(`and ${problems.length - shownProblems} more`)
  console.log(lineOf(torture, verdict, seed))
  return verdict.broken.length === 0 ? 0 : 1
})
