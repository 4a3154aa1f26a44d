import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

interface LockedPackage {
  /** The name of the package, where the folder has another one. */
  readonly name?: string
  /** Absent for a package of the registry that npm is configured with: the lockfile names no hosts. */
  readonly resolved?: string
  readonly link?: boolean
  readonly integrity?: string
  readonly hasInstallScript?: boolean
  readonly license?: string
}
type Packages = Readonly<Record<string, LockedPackage>>

const compatible = new Set(['MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0'])

/** Packages with another licence, or none in the form that the lockfile reads, and why each is acceptable. */
const otherLicences: readonly { readonly packages: RegExp; readonly licence?: string; readonly because: string }[] = [
  {
    packages: /^(ssh2|cpu-features|buildcheck)$/,
    because: 'MIT, which their package.json says in the old field `licenses`',
  },
  { packages: /^tweetnacl$/, licence: 'Unlicense', because: 'public domain' },
  { packages: /^mdn-data$/, licence: 'CC0-1.0', because: 'public domain' },
  {
    packages: /^@fontsource-variable\//,
    licence: 'OFL-1.1',
    because: 'typefaces may be distributed with programs under any licence',
  },
  {
    packages: /^(lightningcss(-.+)?|axe-core)$/,
    licence: 'MPL-2.0',
    because: 'unmodified tools of build and tests; nothing of them is distributed',
  },
  { packages: /^argparse$/, licence: 'Python-2.0', because: 'a tool of packaging; nothing of it is distributed' },
  {
    packages: /^truncate-utf8-bytes$/,
    licence: 'WTFPL',
    because: 'a tool of packaging; nothing of it is distributed',
  },
  { packages: /^caniuse-lite$/, licence: 'CC-BY-4.0', because: 'data of the build; nothing of it is distributed' },
]

/** Packages with an install script, whether it runs, and why. */
const installScripts: Readonly<Record<string, { readonly runs: boolean; readonly because: string }>> = {
  node: {
    runs: true,
    because:
      'installs the executable of the same version for this platform, by version alone: the lockfile has no hash of it',
  },
  'electron-winstaller': { runs: false, because: 'copies a tool that only packages of Windows are made with' },
  ssh2: { runs: false, because: 'looks for a compiler to build an optional part' },
  'cpu-features': { runs: false, because: 'compiles an optional part of ssh2' },
}

/** Packages that `overrides` in package.json replaces by another one, and why. */
const replaced: Readonly<Record<string, { readonly by: string; readonly because: string }>> = {
  '@sentry/node': { by: 'lighthouse-logger', because: 'Lighthouse would report errors through it; nothing needs it' },
  'chromium-bidi': { by: 'lighthouse-logger', because: 'puppeteer-core loads it for other browsers only' },
}

/** One of several is enough: `(MIT OR CC0-1.0)`. */
const isCompatible = (licence: string): boolean =>
  licence
    .replace(/^\((.+)\)$/, '$1')
    .split(' OR ')
    .some((one) => compatible.has(one))

/** A package of this repository, or the link to it. */
const isOwn = (folder: string, { resolved, link }: LockedPackage): boolean =>
  /^packages\/[a-z]+$/.test(folder) ||
  (link === true && folder === `node_modules/@galley/${/^packages\/([a-z]+)$/.exec(resolved ?? '')?.[1]}`)

/** What is wrong with the packages of a lockfile: each names its folder. */
function faultsOf(packages: Packages): readonly string[] {
  return Object.entries(packages).flatMap(([folder, one]) => {
    if (folder === '' || isOwn(folder, one)) return []
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const { integrity = '', resolved, license } = one
    const isLicensed =
      isCompatible(license ?? '') ||
      otherLicences.some(({ packages: named, licence }) => named.test(name) && licence === license)
    const faults = {
      'is not checked by SHA-512': !/^sha512-[\w+/]{86}==$/.test(integrity),
      'comes from elsewhere than the registry': resolved !== undefined || one.link === true,
      'is another package under this name': ![name, replaced[name]?.by].includes(one.name ?? name),
      'has an install script': one.hasInstallScript === true && !Object.hasOwn(installScripts, name),
      [`has the licence ${license ?? 'of no name'}`]: !isLicensed,
    }
    return Object.entries(faults).flatMap(([fault, isThere]) => (isThere ? [`${folder} ${fault}`] : []))
  })
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'))
const packagesOf = (lockfile: string) => (readJson(lockfile) as { readonly packages: Packages }).packages
const packages = packagesOf('package-lock.json')

test.each([
  ['package-lock.json', 300],
  ['tests/judges/package-lock.json', 50],
])(
  'every package of %s is checked by hash, comes from the registry, and has a licence compatible with MIT',
  (file, atLeast) => {
    expect(Object.keys(packagesOf(file)).length).toBeGreaterThan(atLeast)
    expect(faultsOf(packagesOf(file))).toEqual([])
  },
)

test('only install scripts with a reason run, and no package comes from git', () => {
  const { allowScripts } = readJson('package.json') as { readonly allowScripts: Readonly<Record<string, boolean>> }
  for (const [name, { runs }] of Object.entries(installScripts)) expect(allowScripts[name], name).toBe(runs)
  const running = Object.keys(allowScripts).filter((name) => allowScripts[name] === true)
  expect(running.filter((name) => installScripts[name]?.runs !== true)).toEqual([])
  expect(readFileSync(join(root, '.npmrc'), 'utf8').split('\n')).toContain('allow-git=none')
})

test('what a package builds for one platform, or loads while it runs, is installed with the app', () => {
  const { dependencies } = readJson('package.json') as { readonly dependencies: Readonly<Record<string, string>> }
  const needed = readdirSync(join(root, 'packages')).flatMap((name) => {
    const own = readJson(`packages/${name}/package.json`) as {
      readonly dependencies?: Readonly<Record<string, string>>
    }
    return Object.keys(own.dependencies ?? {}).filter((each) => !each.startsWith('@galley/'))
  })
  const isNative = (name: string): boolean =>
    existsSync(join(root, 'node_modules', name, 'binding.gyp')) ||
    Object.keys(
      (readJson(`node_modules/${name}/package.json`) as { optionalDependencies?: object }).optionalDependencies ?? {},
    ).some((part) => /-(?:linux|darwin|win32)-|^cpu-features$/.test(part))
  const native = [...new Set(needed)].filter(isNative).toSorted()
  expect(native).toEqual(['@napi-rs/keyring', 'better-sqlite3', 'ssh2'])
  // undici is too large for the first script of a start.
  expect(Object.keys(dependencies)).toEqual([...native, 'undici'])
  for (const name of Object.keys(dependencies)) expect(needed, name).toContain(name)
})

const folder = 'node_modules/zod'
test.each([
  ['without a hash', { integrity: undefined }, 'is not checked by SHA-512'],
  ['with a weak hash', { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }, 'is not checked by SHA-512'],
  ['from another host', { resolved: 'https://zod.example/zod.tgz' }, 'comes from elsewhere than the registry'],
  ['from git', { resolved: 'git+ssh://git@example.com/zod.git#0123' }, 'comes from elsewhere than the registry'],
  ['from a folder', { resolved: '../zod', link: true }, 'comes from elsewhere than the registry'],
  ['under a false name', { name: 'zod-plus' }, 'is another package under this name'],
  ['that runs a script', { hasInstallScript: true }, 'has an install script'],
  ['under two licences at once', { license: '(MIT AND GPL-3.0-only)' }, 'has the licence (MIT AND GPL-3.0-only)'],
  ['under the GPL', { license: 'GPL-3.0-only' }, 'has the licence GPL-3.0-only'],
  ['without a licence', { license: undefined }, 'has the licence of no name'],
] as const)('a planted package %s is named', (_, planted, fault) => {
  const whole = packages[folder]
  expect(whole).toBeDefined()
  const broken = Object.fromEntries(Object.entries({ ...whole, ...planted }).filter(([, value]) => value !== undefined))
  expect(faultsOf({ ...packages, [folder]: broken })).toEqual([expect.stringContaining(`${folder} ${fault}`)])
  // The same inside another package.
  const inside = `node_modules/vite/${folder}`
  expect(faultsOf({ ...packages, [inside]: broken })).toEqual([expect.stringContaining(`${inside} ${fault}`)])
})
