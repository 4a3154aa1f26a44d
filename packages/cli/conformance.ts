import { writeFile } from 'node:fs/promises'
import {
  isHeaderValue,
  isPassing,
  junitXml,
  marks,
  portOf,
  reportJson,
  reportText,
  runConformance,
  themes,
  usualPort,
} from '@galley/kit'
import type { Options, Outcome, Policy, Report } from '@galley/kit'
import { signatureHeader } from '@galley/library/records'

import type { Context, Output } from './command.ts'
import { CommandFailure, command, secretFrom } from './command.ts'
import { wellKnown } from './emulator-sites.ts'
import type { Values } from './option.ts'
import { UsageError, byDefault, byRule, choice, flag, parsed, several, text, wholeNumber } from './option.ts'
import { printable } from './table.ts'

const usualMaterial = 'conformance'
const options = {
  apiKey: byDefault(text('KEY', 'the key that the backend sends with its downloads', 'acme-key'), wellKnown.apiKey),
  secretStdin: { ...flag('read the secret of the backend from standard input'), default: wellKnown.secret },
  port: {
    ...wholeNumber(1, 65_535, 'the port for the archives of the kit', 8788),
    default: `that of the base URL, or ${usualPort}`,
  },
  baseUrl: {
    ...parsed('URL', 'the base URL that the backend is configured with', 'http://127.0.0.1:8788/integration', httpUrl),
    default: 'the port on this computer, and /integration',
  },
  material: { ...several(text('ID', 'a material that the backend knows', 'post')), default: usualMaterial },
  signatureHeader: byDefault(
    parsed('NAME', 'the header with the signature', 'X-Acme-Signature', byRule(signatureHeader)),
    'X-Service-Signature',
  ),
  auth: parsed(
    'USER[:PASSWORD]',
    'what the backend asks of callers; USER alone is a bearer token',
    'galley:pass',
    authFrom,
  ),
  only: several(parsed('CASE', 'run this case alone', 'save-accepted', knownCase)),
  skip: several(parsed('CASE', 'leave this case out', 'save-accepted', knownCase)),
  failOn: byDefault(choice(['contract', 'unsafe', 'unwise'], 'the mildest verdict that fails'), 'unsafe'),
  allowUnchecked: flag('a rule that could not be checked does not fail'),
  waitForOpen: flag('test the material that is opened in the backend within a minute'),
  sameDisk: flag('the backend stores its files on this computer'),
  page: text('URL', 'the page of a material, with {material} in place of its ID', '"https://cms.example/{material}"'),
  junit: text('FILE', 'also write the report in this form', 'report.xml'),
  slow: flag('also run the cases that wait for a deadline'),
  list: flag('list all cases'),
}

type ConformanceOptions = Values<typeof options>

/** More ids in one line would be hard to read. The JUnit report lists all of them. */
const namedAtMost = 12

/** The developer kit has the command under another name. */
export const conformanceAs = (name: string) =>
  command({
    name,
    summary: 'test any site backend against the contract',
    detail: 'The backend must know the materials and use the base URL of this kit. A run needs CALLBACK_URL.',
    positionals: { '[CALLBACK_URL]': 'where the backend receives callbacks' },
    options,
    examples: ['https://cms.example/callback --api-key acme-key --secret-stdin < secret.txt', '--list'],
    async run(context, given) {
      if (given.list) return listOfCases
      const policy: Policy = { failOn: failLevels[given.failOn], allowUnchecked: given.allowUnchecked }
      const run = await runOf(context, given, name)
      const { log } = context
      log(`Downloads are served at ${run.baseUrl.href}; configure the backend with this base URL.`)
      if (run.waitForOpen)
        log('Open a material in the backend now. The kit waits one minute, then tests that material.')
      else if (given.material.length === 0)
        log(`No --material was given, so the backend is asked to save the material "${usualMaterial}".`)

      const report = await runConformance(run)
      if (report.kind !== 'report') throw new CommandFailure(report.kind, report.message)
      if (given.junit !== null) await writeReport(given.junit, junitXml(report, policy))
      for (const note of notesOn(report)) log(note)
      const { cutShort } = report
      // The text output already contains it, but the JSON has no field for it.
      if (cutShort !== null && context.asJson) log(printable(cutShort))
      return {
        json: reportJson(report),
        text: reportText(report),
        exitCode: isPassing(report, policy) ? 0 : 1,
      }
    },
  })

export const conformance = conformanceAs('conformance')

const failLevels = { contract: 'breaks the contract', unsafe: 'unsafe', unwise: 'unwise' } as const

const listOfCases: Output = {
  json: themes.flatMap(({ title, cases }) =>
    cases.map(({ id, name, severity, rule }) => ({ id, name, severity, rule, theme: title })),
  ),
  text: themes
    .flatMap(({ title, cases }) => [title, ...cases.map(({ id, name, severity }) => `  ${id}  ${name} (${severity})`)])
    .join('\n'),
}

async function runOf(context: Context, given: ConformanceOptions, name: string): Promise<Options> {
  const [url] = context.positionals
  if (url === undefined) throw new UsageError(`the command ${name} needs CALLBACK_URL, or --list`)
  const { apiKey, waitForOpen } = given
  if (waitForOpen && given.material.length > 0)
    throw new UsageError('--material and --wait-for-open cannot be combined: --wait-for-open tests the opened material')
  const materials = given.material.length > 0 ? given.material : [usualMaterial]
  const callbackUrl = httpUrl('CALLBACK_URL', url)
  const { port, baseUrl } = addressOf(given)
  const pageTemplate = pageTemplateOf(given.page, materials.length)
  const secret = given.secretStdin ? secretFrom(await context.readStdin()) : wellKnown.secret
  return {
    callbackUrl,
    apiKey,
    secret,
    baseUrl,
    port,
    materials: [...new Set(materials)],
    signatureHeader: given.signatureHeader,
    auth: given.auth,
    only: given.only.length > 0 ? given.only : null,
    skip: given.skip,
    slow: given.slow,
    waitForOpen,
    sameDisk: given.sameDisk,
    pageTemplate,
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
function addressOf({ baseUrl, port: chosen }: ConformanceOptions): Pick<Options, 'port' | 'baseUrl'> {
  const port = chosen ?? (baseUrl === null ? usualPort : portOf(baseUrl))
  return { port, baseUrl: baseUrl ?? new URL(`http://127.0.0.1:${port}/integration`) }
}

function knownCase(_name: string, given: string): string {
  if (themes.some(({ cases }) => cases.some(({ id }) => id === given))) return given
  throw new UsageError(`there is no case ${given}; --list lists them all`)
}

function authFrom(_name: string, given: string): NonNullable<Options['auth']> {
  const [, user = '', password] = /^([^:]*)(?::(.*))?$/s.exec(given) ?? []
  if (user === '' || password === '') throw new UsageError('--auth must be USER:PASSWORD, or just a bearer token')
  if (password === undefined && !isHeaderValue(user))
    throw new UsageError('a bearer token in --auth must contain only characters that a header can carry')
  return { user, password: password ?? null }
}

/** The URL of the page of one material, or one with `{material}`, which may affect only the path and the query. */
function pageTemplateOf(given: string | null, materials: number): string | null {
  if (given === null) return null
  if (materials > 1 && !given.includes('{material}'))
    throw new UsageError('with more than one --material, --page must contain {material} in place of the material ID')
  const { origin } = httpUrl('page', given.replaceAll('{material}', 'm'))
  if (httpUrl('page', given.replaceAll('{material}', 'other')).origin !== origin)
    throw new UsageError('--page may contain {material} only in its path and query')
  return given
}

function httpUrl(name: string, given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : null
  if (url === null || !/^https?:$/.test(url.protocol) || `${url.username}${url.password}${url.hash}` !== '')
    throw new UsageError(`${name === 'CALLBACK_URL' ? name : `--${name}`} must be an http or https URL`)
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
