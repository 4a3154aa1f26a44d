/** `npm test`: runs the tests with everything that they need and prints one line of numbers at the end. */

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sharedCephAddress } from '../tests/support/ceph.ts'
import offerCeph from '../tests/support/offer-ceph.ts'
import { ensureBuilt } from './runtime/built.ts'
import { ensureSystem } from './runtime/debian.ts'
import { hasOwnDisplay, withDisplay } from './runtime/display.ts'
import { findElectron } from './runtime/electron.ts'
import { hasNetworkNamespaces } from './runtime/network-namespace.ts'
import { endWithNpmShell } from './runtime/npm-shell.ts'
import { capture, runInForeground } from './runtime/processes.ts'
import { projectRoot } from './runtime/project.ts'
import { withSecretService } from './runtime/secret-service.ts'
import { leftOutWithout, type TestPart } from './runtime/suites.ts'
import {
  closingLine,
  countOutcome,
  isSuccess,
  secondTries,
  sumOf,
  type Outcome,
  type VitestReport,
} from './runtime/test-outcome.ts'
import { canTrace } from './runtime/tracing.ts'
import { Unavailable } from './runtime/unavailable.ts'

/**
 * All tests run in processes beside each other, since they wait most of their time. Files of the projects `machine`, `package` and
 * `torture` run one at a time in each: on a display that is not theirs alone, only one process has them.
 */
const wholeRun = (ownDisplays: boolean): readonly (readonly string[])[] => [
  ...['1/2', '2/2']
    .slice(ownDisplays ? 0 : 1)
    .map((shard) => [
      '--project',
      'machine',
      '--project',
      'package',
      '--project',
      'torture',
      ...(ownDisplays ? ['--shard', shard] : []),
    ]),
  // These wait for servers and files as long as they work, so one more than there are processors is at work.
  ['--maxWorkers', '3', '--project', 'unit', '--project', 'library', '--project', 'integration'],
]

/** Gives a process of tests its environment, and what it needs around it. */
type Surroundings = (use: (env: NodeJS.ProcessEnv) => Promise<Outcome>) => Promise<Outcome>

endWithNpmShell()
const outcome = await testEverything().catch((error: unknown): Outcome => {
  console.error(error instanceof Unavailable ? `${error.part}: ${error.message}` : error)
  return { passed: 0, failed: 1, skipped: 0 }
})
console.log(closingLine(outcome))
process.exitCode = isSuccess(outcome) ? 0 : 1

/** On Linux, a missing part fails the run by name. On other systems, the suites that need it are skipped. */
async function testEverything(): Promise<Outcome> {
  await ensureBuilt()
  if (process.platform !== 'linux') return testWithoutSecretService()
  const display = hasOwnDisplay(process.env) ? [] : (['display'] as const)
  await ensureSystem(['electron', 'secret-service', 'python', 'php', 'network', 'trace', 'clock', 'tools', ...display])
  // Without Ceph, the tests of team libraries run over a storage in memory alone; without the others, single tests are
  // skipped. systemd would start what is a service, whoever asks for it.
  const wanted = existsSync('/run/systemd/system') ? (['storage'] as const) : (['storage', 'peers'] as const)
  for (const need of wanted)
    await ensureSystem([need]).catch((error: unknown) => {
      if (!(error instanceof Unavailable)) throw error
      console.error(`${error.part}: ${error.message}`)
    })
  const { executable } = await findElectron()
  const lacking: readonly TestPart[] = [
    ...((await hasNetworkNamespaces()) ? [] : (['Network namespace'] as const)),
    ...((await canTrace()) ? [] : (['System call tracing'] as const)),
    ...((await hasJava()) ? [] : (['Java'] as const)),
  ]
  const around: Surroundings = (use) =>
    withDisplay((display) =>
      withSecretService((session) => use({ ...display.env, ...session, GALLEY_TEST_ELECTRON: executable })),
    )
  return runTests(around, lacking, !hasOwnDisplay(process.env))
}

async function testWithoutSecretService(): Promise<Outcome> {
  const linuxOnly = ['Secret Service', 'Network namespace', 'False clock', 'System call tracing'] as const
  const lacking: readonly TestPart[] = [
    ...linuxOnly,
    ...((await hasPython()) ? [] : (['Python'] as const)),
    ...((await succeeds('php', ['-r', 'exit((int) !(extension_loaded("curl") && extension_loaded("zip")));']))
      ? []
      : (['PHP'] as const)),
    ...((await hasJava()) ? [] : (['Java'] as const)),
  ]
  try {
    const { executable } = await findElectron()
    return await runTests((use) => use({ ...process.env, GALLEY_TEST_ELECTRON: executable }), lacking)
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    console.error(`${error.part}: ${error.message}`)
    return runTests((use) => use(process.env), ['Electron', ...lacking])
  }
}

/** Runs the command: on a new macOS, some exist but only offer to install themselves. */
function succeeds(command: string, args: readonly string[]): Promise<boolean> {
  return capture(command, args).then(
    ({ code }) => code === 0,
    () => false,
  )
}

function hasPython(): Promise<boolean> {
  return succeeds('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))'])
}

function hasJava(): Promise<boolean> {
  return succeeds('java', ['-version'])
}

async function runTests(around: Surroundings, lacking: readonly TestPart[], ownDisplays = false): Promise<Outcome> {
  const leftOut = leftOutWithout(lacking, projectRoot)
  // vitest.config.mts reads it: a command-line exclude would not reach its projects.
  const suites = { GALLEY_TEST_LEFT_OUT: leftOut.map((suite) => suite.folder).join(',') }
  const given = process.argv.slice(2)
  const runs =
    given.length === 0 ? wholeRun(ownDisplays).map((projects) => [...projects, '--passWithNoTests']) : [given]
  const endCeph = await offerCeph()
  // Each command and thread loads the built code anew. That it is compiled once takes a fifth of their processor time away.
  const compiled = mkdtempSync(join(tmpdir(), 'galley-test-compiled-'))
  try {
    const shared = {
      ...suites,
      [sharedCephAddress]: process.env[sharedCephAddress],
      NODE_COMPILE_CACHE: compiled,
    }
    return sumOf(await Promise.all(runs.map((args) => around((env) => runVitest(args, { ...env, ...shared })))))
  } finally {
    await endCeph()
    rmSync(compiled, { recursive: true, force: true })
    for (const suite of leftOut) {
      console.log(
        `Left out: ${suite.folder}, ${suite.files} file(s): this system has no ${suite.lacks.join(' and no ')}`,
      )
    }
  }
}

async function runVitest(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'galley-test-'))
  const reportFile = join(folder, 'report.json')
  const vitest = join(projectRoot, 'node_modules', 'vitest', 'vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
  try {
    const exitCode = await runInForeground(process.execPath, [vitest, 'run', ...reporters, ...args], env)
    const report = existsSync(reportFile) ? (JSON.parse(readFileSync(reportFile, 'utf8')) as VitestReport) : null
    for (const line of secondTries(report)) console.log(line)
    return countOutcome(report, exitCode)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
