import { writeFile } from 'node:fs/promises'
import {
  isHeaderValue,
  isLoopback,
  isPassing,
  junitXml,
  marks,
  reportText,
  runConformance,
  themes,
  withResult,
} from '@galley/kit'
import type { Options, Outcome, Policy, Report, Result } from '@galley/kit'
import { signatureHeader } from '@galley/library/records'

import type { Command, Context, Output } from './command.ts'
import { CommandFailure, UsageError, flag, oneOf, secretFrom, text, texts, valid, wholeNumber } from './command.ts'
import { printable } from './table.ts'

/** The default port for the kit's archives. */
const defaultPort = 8788
const usualMaterial = 'conformance'
/** More ids in one line would be hard to read. The JUnit report lists all of them. */
const namedAtMost = 12

export const conformance: Command = {
  name: 'conformance',
  usage:
    'CALLBACK_URL --api-key K --secret-stdin [--port N] [--base-url U] [--material ID]... [--signature-header H] ' +
    '[--auth USER[:PASSWORD]] [--only CASE]... [--skip CASE]... [--fail-on contract|unsafe|unwise] [--allow-unchecked] ' +
    '[--wait-for-open] [--same-disk] [--page URL] [--junit FILE] [--slow], or --list',
  summary: "test any site backend against the contract; it must know the materials and use this kit's base URL",
  positionals: ['[CALLBACK_URL]'],
  options: {
    'api-key': { type: 'string' },
    'secret-stdin': { type: 'boolean' },
    port: { type: 'string' },
    'base-url': { type: 'string' },
    material: { type: 'string', multiple: true },
    'signature-header': { type: 'string' },
    auth: { type: 'string' },
    only: { type: 'string', multiple: true },
    skip: { type: 'string', multiple: true },
    'fail-on': { type: 'string' },
    'allow-unchecked': { type: 'boolean' },
    list: { type: 'boolean' },
    'wait-for-open': { type: 'boolean' },
    'same-disk': { type: 'boolean' },
    page: { type: 'string' },
    junit: { type: 'string' },
    slow: { type: 'boolean' },
  },
  async run(context) {
    if (flag(context, 'list')) return listOfCases
    const failOn = failLevels[oneOf(context, 'fail-on', ['contract', 'unsafe', 'unwise']) ?? 'unsafe']
    const policy: Policy = { failOn, allowUnchecked: flag(context, 'allow-unchecked') }
    const options = await optionsOf(context)
    const { log } = context
    log(`Downloads are served at ${options.baseUrl.href}; configure the backend with this base URL.`)
    if (options.waitForOpen)
      log('Open a material in the backend now. The kit waits one minute, then tests that material.')
    else if (texts(context, 'material') === null)
      log(`No --material was given, so the backend is asked to save the material "${usualMaterial}".`)

    const report = await runConformance(options)
    if (report.kind !== 'report') throw new CommandFailure(report.kind, report.message)
    const junit = text(context, 'junit')
    if (junit !== null) await writeReport(junit, junitXml(report, policy))
    for (const note of notesOn(report)) log(note)
    const { outcomes, cutShort } = report
    // The text output already contains it, but the JSON has no field for it.
    if (cutShort !== null && context.asJson) log(printable(cutShort))
    const count = (result: Result): number => withResult(report, result).length
    return {
      json: {
        passed: count('passed'),
        failed: count('failed'),
        unchecked: count('unchecked'),
        skipped: count('skipped'),
        cases: outcomes.map(caseJson),
      },
      text: reportText(report),
      exitCode: isPassing(report, policy) ? 0 : 1,
    }
  },
}

const failLevels = { contract: 'breaks the contract', unsafe: 'unsafe', unwise: 'unwise' } as const

const listOfCases: Output = {
  json: themes.flatMap(({ title, cases }) =>
    cases.map(({ id, name, severity, rule }) => ({ id, name, severity, rule, theme: title })),
  ),
  text: themes
    .flatMap(({ title, cases }) => [title, ...cases.map(({ id, name, severity }) => `  ${id}  ${name} (${severity})`)])
    .join('\n'),
}

const caseJson = ({ case: { id, name, severity }, result, expected, got, reason, cause, evidence }: Outcome) => ({
  id,
  name,
  severity,
  result,
  ok: result === 'passed',
  expected,
  got,
  ...(reason !== null && { reason }),
  ...(cause !== undefined && { cause }),
  ...(evidence && { evidence }),
})

async function optionsOf(context: Context): Promise<Options> {
  const [given] = context.positionals
  if (given === undefined) throw new UsageError('the command conformance needs CALLBACK_URL, or --list')
  const callbackUrl = httpUrl('CALLBACK_URL', given)
  const apiKey = text(context, 'api-key')
  if (!apiKey)
    throw new UsageError('the command conformance needs --api-key: the key that the backend sends with its downloads')
  if (!flag(context, 'secret-stdin'))
    throw new UsageError('the command conformance needs --secret-stdin, and the secret on standard input')
  const only = texts(context, 'only')
  const skip = texts(context, 'skip') ?? []
  const unknown = [...(only ?? []), ...skip].find(
    (id) => !themes.some(({ cases }) => cases.some((each) => each.id === id)),
  )
  if (unknown !== undefined) throw new UsageError(`there is no case ${unknown}; --list lists them all`)
  const waitForOpen = flag(context, 'wait-for-open')
  if (waitForOpen && texts(context, 'material') !== null)
    throw new UsageError('--material and --wait-for-open cannot be combined: --wait-for-open tests the opened material')
  const materials = texts(context, 'material') ?? [usualMaterial]
  const header = valid(signatureHeader, text(context, 'signature-header') ?? 'X-Service-Signature')
  const auth = authOf(context)
  const { port, baseUrl } = addressOf(context)
  const secret = secretFrom(await context.readStdin())
  return {
    callbackUrl,
    apiKey,
    secret,
    baseUrl,
    port,
    materials: [...new Set(materials)],
    signatureHeader: header,
    auth,
    only,
    skip,
    slow: flag(context, 'slow'),
    waitForOpen,
    sameDisk: flag(context, 'same-disk'),
    pageTemplate: pageTemplateOf(context, materials.length),
    signal: context.interrupted,
    onWaiting: ({ id }, ms) => context.log(`still waiting: ${id} (${Math.round(ms / 1000)} s)`),
    onOutcome: (outcome, done, total) => context.log(printable(progressLine(outcome, done, total))),
  }
}

function progressLine({ case: { id }, result, got, reason, ms }: Outcome, done: number, total: number): string {
  const detail = result === 'passed' ? '' : `: ${reason ?? got}`
  return `${String(done).padStart(String(total).length)}/${total} ${marks[result]} ${id} (${Math.round(ms)} ms)${detail}`
}

/** If the port or the base URL is missing, derives it from the other one when that is on this computer. */
function addressOf(context: Context): Pick<Options, 'port' | 'baseUrl'> {
  const given = text(context, 'base-url')
  const baseUrl = given === null ? null : httpUrl('--base-url', given)
  const named = baseUrl !== null && isLoopback(baseUrl.hostname) ? Number(baseUrl.port || 80) : null
  const port = wholeNumber(context, 'port', 1, 65_535) ?? named ?? defaultPort
  return { port, baseUrl: baseUrl ?? new URL(`http://127.0.0.1:${port}/integration`) }
}

function authOf(context: Context): Options['auth'] {
  const given = text(context, 'auth')
  if (given === null) return null
  const [, user = '', password] = /^([^:]*)(?::(.*))?$/s.exec(given) ?? []
  if (user === '' || password === '') throw new UsageError('--auth must be USER:PASSWORD, or just a bearer token')
  if (password === undefined && !isHeaderValue(user))
    throw new UsageError('a bearer token in --auth must contain only characters that a header can carry')
  return { user, password: password ?? null }
}

/** The URL of the page of one material, or one with `{material}`, which may affect only the path and the query. */
function pageTemplateOf(context: Context, materials: number): string | null {
  const given = text(context, 'page')
  if (given === null) return null
  if (materials > 1 && !given.includes('{material}'))
    throw new UsageError('with more than one --material, --page must contain {material} in place of the material ID')
  const { origin } = httpUrl('--page', given.replaceAll('{material}', 'm'))
  if (httpUrl('--page', given.replaceAll('{material}', 'other')).origin !== origin)
    throw new UsageError('--page may contain {material} only in its path and query')
  return given
}

function httpUrl(name: string, given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : null
  if (url === null || !/^https?:$/.test(url.protocol) || `${url.username}${url.password}${url.hash}` !== '')
    throw new UsageError(`${name} must be an http or https URL`)
  return url
}

async function writeReport(file: string, xml: string): Promise<void> {
  try {
    await writeFile(file, xml)
  } catch {
    throw new CommandFailure('report_not_written', `The JUnit report could not be written to ${file}.`)
  }
}

/** Notes besides the verdicts: what was not tested, and what the backend contains now. */
function notesOn({ stored, outcomes }: Report): readonly string[] {
  const open = outcomes.filter(({ reason }) => reason !== null)
  const reasons = [...new Set(open.map(({ result, reason }) => `${result}, ${reason ?? ''}`))]
  const plain = outcomes.find((each) => each.case.id === 'save-accepted')
  return [
    ...(plain?.result === 'failed'
      ? [
          `A plain save was not accepted: ${plain.got}. Check secret, API key, base URL and material.`,
          ...(plain.evidence ?? []),
        ]
      : []),
    ...reasons.map((why) => {
      const ids = open.filter(({ result, reason }) => `${result}, ${reason ?? ''}` === why).map((each) => each.case.id)
      const sentence = why.charAt(0).toUpperCase() + why.slice(1)
      return `${sentence}: ${ids.length > namedAtMost ? `${ids.length} cases` : ids.join(', ')}`
    }),
    stored.length === 0
      ? 'The backend accepted no test callbacks, so this run should have stored nothing in it.'
      : 'Stored in the backend by accepted test callbacks:',
    ...stored.map(
      ({ what, times, lastVersion }) => `  ${what}: ${times === 1 ? 'once' : `${times} times`}, last as ${lastVersion}`,
    ),
  ].map(printable)
}
