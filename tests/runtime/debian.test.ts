import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

import { installedAmong, packagesOf } from '../../scripts/runtime/debian.ts'

test('only packages whose status is installed count', () => {
  const output =
    'xvfb installed\nlibnss3 not-installed\ndbus config-files\nlibgtk-3-0 half-installed\nlibgbm1 installed\n'
  expect([...installedAmong(output)]).toEqual(['xvfb', 'libgbm1'])
})

test('empty output, as when dpkg knows none of the names, means that nothing is installed', () => {
  expect(installedAmong('').has('xvfb')).toBe(false)
})

test.each([
  ['test', ['storage'] as const],
  ['screens', [] as const],
])('the job %s of CI installs what its tests need', (job, more) => {
  const file = join(import.meta.dirname, '../../.github/workflows/ci.yml')
  const { jobs } = parse(readFileSync(file, 'utf8')) as {
    readonly jobs: Readonly<Record<string, { readonly steps: readonly { readonly run?: string }[] }>>
  }
  const script = jobs[job]?.steps.find(({ run }) => run?.includes('apt-get'))?.run ?? ''
  const [, installed = ''] = /install (.+)/.exec(script) ?? []
  const needs = [
    'electron',
    'display',
    'secret-service',
    'python',
    'php',
    'network',
    'trace',
    'clock',
    ...more,
  ] as const
  const present = new Set(installed.split(' '))
  expect(packagesOf(needs).filter((names) => !names.some((name) => present.has(name)))).toEqual([])
})
