import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

import type { Command } from '../../packages/cli/command.ts'
import { commandGroups, commands } from '../../packages/cli/commands.ts'
import { globalOptions, helpOf, helpOfAll, optionForm } from '../../packages/cli/help.ts'
import { dashed, valuesOf } from '../../packages/cli/option.ts'
import { parsedArguments } from '../../packages/cli/parse.ts'
import { galley } from './support/cli.ts'

// Parsing, help and the pages of docs come from one table of options, which every command has beside it.

/** The words of a line as a shell passes them, without what it reads from a file. */
const words = (line: string): readonly string[] =>
  [...line.replace(/ <.*$/, '').matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  )

const allOptions = (command: Command) => Object.entries({ ...command.options, ...globalOptions })

test('every command and option has a sentence, and every value an example that is accepted', () => {
  for (const command of commands) {
    expect(command.summary, command.name).toMatch(/^[a-z].*[^.]$/)
    for (const [argument, says] of Object.entries(command.positionals)) expect(says, argument).toMatch(/^\S.*[^.]$/)
    for (const [name, option] of allOptions(command)) {
      const what = `${command.name} --${dashed(name)}`
      expect(option.says, what).toMatch(/^\S.{5,}[^.]$/)
      if (option.value === null) continue
      const [example = ''] = words(option.example ?? option.choices?.[0] ?? '')
      expect(example, what).not.toBe('')
      expect(() => option.read(dashed(name), [example]), what).not.toThrow()
    }
  }
})

test('every command has examples, and all of them parse', () => {
  for (const command of commands) {
    expect(command.examples.length, command.name).toBeGreaterThan(0)
    for (const example of command.examples) {
      const { given } = parsedArguments(command, words(example))
      expect(() => valuesOf(command.options, given), `${command.name} ${example}`).not.toThrow()
    }
  }
})

test('help fits a terminal of 80 columns and names every option once', () => {
  expect(
    helpOfAll(commandGroups)
      .split('\n')
      .filter((line) => line.length > 80),
  ).toEqual([])
  for (const command of commands) {
    const help = helpOf(command)
    // A long word, such as an address, cannot be broken.
    const tooLong = help.split('\n').filter((line) => line.length > 80 && line.trim().includes(' '))
    expect(tooLong, command.name).toEqual([])
    for (const [name, option] of allOptions(command))
      expect(help.split('\n').filter((line) => line.startsWith(`  ${optionForm(name, option)}`)).length).toBe(1)
  }
})

test('galley help COMMAND, help of a group, and COMMAND --help', async () => {
  const asked = await galley(['help', 'site', 'add'])
  expect(asked.stdout).toBe((await galley(['site', 'add', '--help'])).stdout)
  expect(asked.stdout).toContain('  --api-key KEY ')
  const json = (await galley(['help', 'gc', '--json'])).json()
  expect(json).toEqual({
    name: 'gc',
    usage: '[--dry-run] [--empty-lost-and-found]',
    summary: 'delete unused files',
  })
  const group = await galley(['help', 'review'])
  expect(
    group.stdout
      .trim()
      .split('\n')
      .map((line) => line.trim().split('  ')[0]),
  ).toContain('review approve')
  expect((await galley(['help'])).stdout).toBe((await galley(['--help'])).stdout)
  const unknown = await galley(['help', 'reviews', '--json'])
  expect([unknown.code, unknown.failure().message]).toEqual([2, expect.stringContaining('no command reviews')])
})

test('docs/api.md names the options of every command, and no others', () => {
  const api = readFileSync('docs/api.md', 'utf8')
  const own = new Set(commands.flatMap(({ options }) => Object.keys(options).map(dashed)))
  const general = Object.keys(globalOptions)
  for (const command of commands) {
    const [first = '', second] = command.name.split(' ')
    const ofCommand = api
      .split('\n')
      .filter((line) => new RegExp(`[\`|]${first}\\b`).test(line) && (second === undefined || line.includes(second)))
      .join('\n')
    const missing = Object.keys(command.options).filter((name) => !ofCommand.includes(`--${dashed(name)}`))
    expect(missing, command.name).toEqual([])
  }
  const commandRows = api
    .split('\n')
    .filter((line) => line.startsWith('| `') && /`[^`]*--/.test(line.split(' | ')[0] ?? ''))
  const named = commandRows.flatMap((line) => [...(line.split(' | ')[0] ?? '').matchAll(/--([a-z0-9-]+)/g)])
  expect(named.map(([, name = '']) => name).filter((name) => !own.has(name) && !general.includes(name))).toEqual([])
})
