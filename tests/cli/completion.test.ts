import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { commands } from '../../packages/cli/commands.ts'
import { globalOptions, optionForm, shortUsageOf } from '../../packages/cli/help.ts'
import { dashed } from '../../packages/cli/option.ts'
import { galley } from './support/cli.ts'

// What `galley completion` and `galley manual` print, in the programs that read it.

const run = promisify(execFile)

/** Runs a program on a file; null where the machine does not have it. */
const checked = (program: string, ...args: readonly string[]) =>
  run(program, args).then(
    ({ stdout, stderr }) => stdout + stderr,
    (error: unknown) => {
      const { code, stdout, stderr } = error as {
        readonly code: unknown
        readonly stdout: string
        readonly stderr: string
      }
      return code === 'ENOENT' ? null : `${program} failed: ${stdout}${stderr}`
    },
  )

const files: Record<string, string> = {}

const folder = mkdtempSync(join(tmpdir(), 'galley-completion-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    files[shell] = join(folder, shell)
    await writeFile(files[shell], (await galley(['completion', shell])).stdout)
  }
  files['man'] = join(folder, 'galley.1')
  await writeFile(files['man'], (await galley(['manual'], { SOURCE_DATE_EPOCH: '86400' })).stdout)
})

/** What bash offers for the last word of a line. */
async function completed(line: string): Promise<readonly string[]> {
  const script = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); _galley; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = await run('bash', ['--norc', '-c', script, 'bash', files['bash'] ?? '', ...line.split(' ')])
  return stdout.split('\n').filter((each) => each !== '')
}

test('bash completes commands, options and words', async () => {
  expect(await completed('galley si')).toEqual(['site'])
  expect(await completed('galley site p')).toEqual(['publishing'])
  expect(await completed('galley help review ap')).toEqual(['approve'])
  expect(await completed('galley callbacks ')).toEqual(['show', 'replay', 'dismiss'])
  expect(await completed('galley callbacks --out')).toEqual(['--outcome'])
  expect(await completed('galley site add acme --env')).toEqual(['--environment'])
  expect(await completed('galley site add acme --environment ')).toEqual(['dev', 'prod'])
  expect(await completed('galley --library /srv/site --json site add --callback-auth b')).toEqual(['basic', 'bearer'])
  expect(await completed('galley gc --secrets e')).toEqual(['env'])
  // Names of files are what bash completes by itself.
  expect(await completed('galley export acme --out ')).toEqual([])
  expect(await completed('galley restore ba')).toEqual([])
})

test('bash offers the options of each command, and no others', async () => {
  for (const { name, options } of commands)
    expect((await completed(`galley ${name} --`)).toSorted(), name).toEqual(
      Object.keys({ ...options, ...globalOptions })
        .map((each) => `--${dashed(each)}`)
        .toSorted(),
    )
})

test.for([
  ['bash', '-n'],
  ['zsh', '-n'],
  ['fish', '-n'],
] as const)('%s reads its completion without a complaint', async ([shell, flag], { skip }) => {
  const said = await checked(shell, flag, files[shell] ?? '')
  if (said === null) return skip(`this machine has no ${shell}`)
  expect(said).toBe('')
})

test('fish offers what the table has', async ({ skip }) => {
  const offered = async (line: string) => {
    const said = await checked('fish', '--no-config', '-c', `source ${files['fish']}; complete -C '${line}'`)
    return said?.split('\n').map((each) => each.split('\t')[0] ?? '') ?? null
  }
  const environments = await offered('galley site add acme --environment ')
  if (environments === null) return skip('this machine has no fish')
  expect(environments).toEqual(['dev', 'prod', ''])
  expect(await offered('galley review ap')).toContain('approve')
  expect(await offered('galley gc --em')).toEqual(['--empty-lost-and-found', ''])
})

test('the page of man has every command with its options, and its date is that of the package', async ({ skip }) => {
  const page = (await galley(['manual'], { SOURCE_DATE_EPOCH: '86400' })).stdout
  const escaped = (text: string): string => text.replaceAll('-', '\\-')
  expect(page).toMatch(/^\.TH GALLEY 1 1970-01-02 "Galley \d/)
  for (const command of commands) {
    const from = page.indexOf(`.SS ${escaped(`galley ${command.name} ${shortUsageOf(command)}`.trim())}\n`)
    expect(from, command.name).toBeGreaterThan(0)
    const own = page.slice(from, page.indexOf('\n.S', from + 1))
    for (const [name, option] of Object.entries(command.options))
      expect(own.split(`\\fB${escaped(optionForm(name, option))}\\fR\n`).length, name).toBe(2)
  }
  const macros = new Set(page.split('\n').flatMap((line) => /^[.']\S*/.exec(line)?.[0] ?? []))
  expect([...macros].toSorted()).toEqual(['.PP', '.RE', '.RS', '.SH', '.SS', '.TH', '.TP', '.fi', '.nf'])
  const lint = await checked('mandoc', '-Tlint', '-Wwarning', files['man'] ?? '')
  if (lint === null) return skip('this machine has no mandoc')
  expect(lint).toBe('')
})
