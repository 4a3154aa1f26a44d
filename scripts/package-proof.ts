/**
 * `npm run package-proof -- [--pictures DIR]`: builds the `.deb` and uses it as people do, in a new Debian of its own: installs it,
 * starts the window as a person with Chromium's sandbox on, receives and approves a save, exports it, comes from the welcome to the
 * first save with a service behind a proxy, updates from a signed repository, refuses a changed one, removes and purges. Needs root,
 * debootstrap, HAProxy and Debian's archive; takes some six minutes.
 */

import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  copyFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, normalize } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright'
import type { Browser, Page } from 'playwright'

import { appLink } from '../packages/library/records/app-link.ts'
import { createEmulator } from '../packages/service/emulator.ts'
import { appId } from './package/installed.ts'
import { makeRepository } from './package/repository.ts'
import { ensureSystem } from './runtime/debian.ts'
import { capture } from './runtime/processes.ts'
import { projectRoot } from './runtime/project.ts'

const { values } = parseArgs({ options: { pictures: { type: 'string' } } })
const folder = mkdtempSync(join(tmpdir(), 'galley-proof-'))
const root = join(folder, 'root')
const repository = join(folder, 'repository')
const gnupg = join(folder, 'gnupg')
process.env['GNUPGHOME'] = gnupg
const began = performance.now()
const children: ChildProcess[] = []
const done = (what: string): void =>
  console.log(`${String(Math.round((performance.now() - began) / 1000)).padStart(4)} s  ${what}`)

async function run(command: string, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await capture(command, args, { cwd: projectRoot })
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stderr}${stdout}`)
  return stdout
}

/** A shell in the new Debian, whose processes and mounts end with it. The network is this computer's. */
const enter = `mount -t proc proc "$1/proc" && mkdir -p "$1/dev/shm" && mount -t tmpfs tmpfs "$1/dev/shm" && exec chroot "$1" /bin/bash -ec "$2"`
const inRoot = (script: string): readonly string[] => [
  '--mount',
  '--pid',
  '--fork',
  '--kill-child',
  '--propagation',
  'private',
  'bash',
  '-c',
  enter,
  'bash',
  root,
  `export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive\n${script}`,
]
const within = (script: string): Promise<string> => run('unshare', ...inRoot(script))
const installedVersion = async () => (await within(`dpkg-query -W -f '\${Version}' galley`)).trim()

async function aPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

/** Serves the repository as it is at that time. */
function serve(port: number) {
  return createServer(({ url = '' }, response) => {
    const file = join(repository, normalize(decodeURIComponent(new URL(url, 'http://x').pathname)))
    if (!existsSync(file) || !statSync(file).isFile()) return void response.writeHead(404).end()
    createReadStream(file).pipe(response)
  }).listen(port, '127.0.0.1')
}

async function makeKey(): Promise<string> {
  mkdirSync(gnupg, { mode: 0o700 })
  await run('gpg', '--batch', '--pinentry-mode', 'loopback', '--passphrase', '', '--quick-gen-key', 'Proof', 'ed25519')
  return /^fpr:+([0-9A-F]+):/m.exec(await run('gpg', '--list-keys', '--with-colons'))?.[1] ?? ''
}

/** The same package with a higher version. */
async function newerThan(file: string, out: string): Promise<string> {
  const tree = join(folder, 'newer')
  await run('dpkg-deb', '-R', file, tree)
  const control = readFileSync(join(tree, 'DEBIAN', 'control'), 'utf8')
  const version = '0.1.1'
  writeFileSync(join(tree, 'DEBIAN', 'control'), control.replace(/^Version: .*$/m, `Version: ${version}`))
  await run('dpkg-deb', '--root-owner-group', '-Zgzip', '-z1', '-b', tree, join(out, `galley_${version}_amd64.deb`))
  return version
}

async function install(file: string): Promise<void> {
  const mirror = (await run('apt-get', 'indextargets', '--format', '$(REPO_URI)')).split('\n')[0] ?? ''
  await run('debootstrap', '--variant=minbase', '--include=ca-certificates', 'bookworm', root, mirror)
  copyFileSync('/etc/resolv.conf', join(root, 'etc', 'resolv.conf'))
  copyFileSync(file, join(root, 'root', 'galley.deb'))
  done('a new Debian 12')
  await within(`
    echo 'galley galley/repository boolean true' > /root/answer
    apt-get -qq update && apt-get -qq -y install --no-install-recommends xvfb debconf dbus gnome-keyring
    debconf-set-selections /root/answer
    apt-get -qq -y install --no-install-recommends /root/galley.deb
    useradd -m editor
    # The person's browser.
    printf '#!/bin/sh\nprintf %%s "$1" > /home/editor/opened\n' > /usr/local/bin/xdg-open
    chmod 755 /usr/local/bin/xdg-open`)
  done(`installed ${await installedVersion()}`)
}

/** The keychain of a session, unlocked as at a login. */
const keychain = `export DBUS_SESSION_BUS_ADDRESS=unix:path=/tmp/session-bus XDG_RUNTIME_DIR=/tmp/session
      mkdir -m 700 $XDG_RUNTIME_DIR
      dbus-daemon --session --fork --address=$DBUS_SESSION_BUS_ADDRESS
      printf proof | gnome-keyring-daemon --foreground --unlock --components=secrets >/dev/null 2>&1 &
      until dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.GetNameOwner string:org.freedesktop.secrets >/dev/null 2>&1; do sleep 0.1; done`

/** Asks again until there is an answer, for two minutes. */
async function answered<Value>(ask: () => Promise<Value | null>): Promise<Value> {
  const end = performance.now() + 120_000
  for (;;) {
    const answer = await ask()
    if (answer !== null) return answer
    assert(performance.now() < end, 'Nothing came in two minutes')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** A connection to the window. One to a page that is still being made may never be answered. */
const connected = (at: string, child: ChildProcess): Promise<Browser> =>
  answered(async () => {
    if (child.exitCode !== null) throw new Error('The window ended')
    const list = await fetch(`${at}/json/list`).then(
      async (answer) => (await answer.json()) as readonly { readonly url: string }[],
      () => [],
    )
    const isMade = list.some(({ url }) => url.startsWith('app:'))
    return isMade ? chromium.connectOverCDP(at, { timeout: 10_000 }).catch(() => null) : null
  })

/** The window as the desktop entry starts it, with a port to look at it. Ends when `stop` is called. */
async function startWindow(port: number, environment: string, { before = '', switches = '' } = {}) {
  const script = `
    # A display that was killed leaves these.
    rm -f /tmp/.X77-lock /tmp/.X11-unix/X77
    Xvfb :77 -screen 0 1440x900x24 2>/dev/null &
    until [ -e /tmp/.X11-unix/X77 ]; do sleep 0.1; done
    cat > /home/editor/start <<'DONE'
      cd && export DISPLAY=:77 ${environment}
      ${before}
      entry=$(sed -n 's/^Exec=//p' /usr/share/applications/${appId}.desktop)
      exec \${entry/ -- %U/ --remote-debugging-port=${port} ${switches} --}
DONE
    su editor -s /bin/bash /home/editor/start`
  const child = spawn('unshare', inRoot(script), { stdio: 'ignore' })
  children.push(child)
  const browser = await connected(`http://127.0.0.1:${port}`, child)
  const page = browser
    .contexts()[0]
    ?.pages()
    .find((each) => each.url().startsWith('app:'))
  if (page === undefined) throw new Error('There is no window')
  return {
    page,
    async stop(): Promise<void> {
      await browser.close()
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function use(): Promise<void> {
  const emulator = await createEmulator({
    port: 0,
    apiKey: 'proof-key',
    apiSecret: 'proof secret',
    signatureHeader: 'x-service-signature',
  })
  const port = await aPort()
  const callbackUrl = `http://127.0.0.1:${port}/callback/press`
  const environment = `HOME=/home/editor GALLEY_SECRETS=env GALLEY_SECRET_PRESS='proof secret'`
  const galley = (words: string): Promise<string> =>
    within(`su editor -s /bin/bash -c "cd && ${environment} galley ${words}"`)
  await galley(
    `site add press --name Press --base-url ${emulator.baseUrl} --api-key ${emulator.apiKey} --callback-url ${callbackUrl}`,
  )
  const { page, stop } = await startWindow(await aPort(), environment)
  await page.getByRole('status', { name: 'Listener' }).getByText('Listening').waitFor()
  done('the window listens, as a person, with the sandbox on')
  const { fingerprint } = JSON.parse(await galley('open press post/one --json')) as { fingerprint: string }
  await save(fingerprint, emulator.url)
  await page.getByText('The harbour').first().waitFor()
  done('a save has arrived')
  await picture(page, 'package-first-save')
  await within(
    `su editor -s /bin/bash -c "cd && ${environment} DISPLAY=:77 /opt/Galley/galley-window -- '${appLink({ site: 'press', materialId: 'post/one', versionId: null })}'"`,
  )
  await page.getByRole('heading', { name: 'The harbour' }).first().waitFor()
  done('a link shows its page')
  await page.keyboard.press('Control+1')
  // A key decides 300 ms after the page was painted.
  const name = page.getByRole('dialog')
  for (;;) {
    await page.keyboard.press('y')
    if (
      await name.waitFor({ timeout: 500 }).then(
        () => true,
        () => false,
      )
    )
      break
  }
  await name.getByRole('textbox').fill('Ida Berg')
  await page.keyboard.press('Enter')
  await page.getByText('All clear').waitFor()
  done('approved')
  await picture(page, 'package-approved')
  await galley('export press --out /home/editor/site')
  assert(existsSync(join(root, 'home', 'editor', 'site', 'index.html')))
  done('exported')
  await stop()
  await emulator.close()
}

/** A certificate for this computer by an authority that only the proof knows. */
async function makeCertificates(): Promise<{ readonly authority: string; readonly proxy: string }> {
  const at = (name: string): string => join(folder, name)
  const make = (...more: readonly string[]): Promise<string> =>
    run('openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', ...more)
  await make('-subj', '/CN=Proof authority', '-keyout', at('ca.key'), '-out', at('ca.pem'))
  const signed = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-subj', '/CN=proxy']
  const names = ['-addext', 'subjectAltName=IP:127.0.0.1', '-addext', 'basicConstraints=critical,CA:FALSE']
  await make(...signed, ...names, '-keyout', at('proxy.key'), '-out', at('proxy.crt'))
  writeFileSync(at('proxy.pem'), readFileSync(at('proxy.crt'), 'utf8') + readFileSync(at('proxy.key'), 'utf8'))
  return { authority: at('ca.pem'), proxy: at('proxy.pem') }
}

/** Starts a process that ends with the proof, and waits until its port answers. */
async function startProcess(command: string, args: readonly string[], port: number, environment = {}): Promise<void> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...environment },
  })
  children.push(child)
  await answered(async () => {
    if (child.exitCode !== null) throw new Error(`${command} ended`)
    return fetch(`http://127.0.0.1:${port}`).catch((error: Error) =>
      // Whoever speaks TLS or refuses the request is there too.
      /refused/i.test(String(error.cause)) ? null : error,
    )
  })
}

/**
 * A service and the way back to the listener, both behind a proxy with TLS: the kit's emulator as its package starts it, and HAProxy.
 * The certificates are of an authority that this computer does not know.
 */
async function startService(packages: string, listener: number) {
  await ensureSystem(['peers'])
  const { authority, proxy } = await makeCertificates()
  await run(process.execPath, join(projectRoot, 'scripts', 'package.ts'), 'kit', '--out', packages)
  const kit = join(folder, 'kit')
  const [packed = ''] = (await run('find', packages, '-name', 'galley-kit-*.tgz')).split('\n')
  await run('npm', 'install', '--silent', '--offline', '--prefix', kit, packed)
  const [own, service, callbacks] = [await aPort(), await aPort(), await aPort()]
  const trust = { GALLEY_CA_CERTS: authority }
  const program = join(kit, 'node_modules', 'galley-kit', 'out', 'kit.js')
  await startProcess(process.execPath, [program, 'emulator', '--port', String(own)], own, trust)
  const config = join(folder, 'haproxy.cfg')
  writeFileSync(
    config,
    `defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 300s
frontend service
  bind 127.0.0.1:${service} ssl crt ${proxy}
  http-request set-header X-Forwarded-Proto https
  default_backend emulator
frontend callbacks
  bind 127.0.0.1:${callbacks} ssl crt ${proxy}
  http-request deny unless { path_beg /callback/ }
  default_backend listener
backend emulator
  server one 127.0.0.1:${own}
backend listener
  server one 127.0.0.1:${listener}
`,
  )
  await startProcess('haproxy', ['-db', '-f', config], service)
  return {
    authority,
    editor: `http://127.0.0.1:${own}`,
    url: `https://127.0.0.1:${service}`,
    back: `https://127.0.0.1:${callbacks}`,
  }
}

/** From the start of a new profile to the first save, by what the welcome says. */
async function firstSave(packages: string): Promise<void> {
  const listener = await aPort()
  const { authority, editor, url, back } = await startService(packages, listener)
  copyFileSync(authority, join(root, 'etc', 'proof-authority.pem'))
  const home = '/home/editor/second'
  const environment = `XDG_CONFIG_HOME=${home} XDG_DATA_HOME=${home}/data GALLEY_CA_CERTS=/etc/proof-authority.pem`
  done('a service behind a proxy is ready')
  const start = performance.now()
  const { page, stop } = await startWindow(await aPort(), environment, {
    before: keychain,
    switches: `--port ${listener}`,
  })
  const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click()
  await page.getByRole('status', { name: 'Listener' }).getByText('Listening').waitFor()
  await press('Test keychain')
  await page.getByText('The keychain works').waitFor()
  await press('Continue')
  await page.getByRole('heading', { name: 'Library folder' }).waitFor()
  await press('Continue')
  await page.getByRole('heading', { name: 'Your site' }).waitFor()
  await press('Add site')
  const dialog = page.getByRole('dialog')
  // A clipboard of the X server would be the proof's, not a person's.
  await dialog.getByLabel('Details from the service').evaluate((field, text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, `Welcome!\n\nURL: ${url}/integration\nAPI key: emulator-dev\nSecret: emulator-secret\n`)
  await dialog.getByText('Filled in: Service URL, API key and Secret.').waitFor()
  await dialog.getByLabel('Name', { exact: true }).fill('Press')
  await dialog.getByLabel('Callback URL').fill(`${back}/callback/press`)
  await picture(page, 'proxy-add-site')
  await dialog.getByRole('button', { name: 'Add site' }).click()
  await page.getByText('Press is set up.').waitFor()
  await press('Test site')
  await page.getByText('The service responds.').waitFor()
  await press('Continue')
  await page.getByRole('heading', { name: 'Test the callback' }).waitFor()
  await press('Send a test callback')
  await page.getByText('The callback URL reaches this computer.').waitFor()
  await press('Continue')
  await page.getByRole('heading', { name: 'Your first session' }).waitFor()
  await page.getByLabel('Material ID').fill('post/one')
  await page.getByLabel('Title').fill('The harbour')
  await press('Open in editor')
  await page.getByText('Waiting for the first save').waitFor()
  const opened = join(root, 'home', 'editor', 'opened')
  const address = await answered(async () => (existsSync(opened) ? readFileSync(opened, 'utf8') : '') || null)
  await save(address.split('/').at(-1) ?? '', editor)
  await page.getByText('The first save arrived and was stored: The harbour.').waitFor()
  const seconds = (performance.now() - start) / 1000
  await picture(page, 'proxy-first-save')
  assert(seconds <= 180)
  done(`the first save through the proxy, ${seconds.toFixed(0)} s after the start of the window`)
  await stop()
}

async function save(fingerprint: string, emulatorUrl: string): Promise<void> {
  const html = '<article><h1>The harbour</h1><p>Boats come home.</p></article>'
  const body = JSON.stringify({ html, state: { assets: {} }, files: {}, user_email: 'anna@harbour.example' })
  const answer = await fetch(`${emulatorUrl}/_emulator/sessions/${fingerprint}/save`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  const { result } = (await answer.json()) as { result: string }
  assert.equal(result, 'merged')
}

async function picture(page: Page, name: string): Promise<void> {
  if (values.pictures !== undefined) await page.screenshot({ path: join(values.pictures, `${name}.png`) })
}

async function update(packages: string, key: string, version: string): Promise<void> {
  await makeRepository({ from: packages, out: repository, key })
  const changed = join(repository, 'apt', 'pool', `galley_${version}_amd64.deb`)
  const whole = readFileSync(changed)
  appendFileSync(changed, 'x')
  const upgrade = 'apt-get -qq update && apt-get -qq -y install --only-upgrade galley'
  const before = await installedVersion()
  await assert.rejects(within(upgrade))
  assert.equal(await installedVersion(), before)
  done('a changed package is refused')
  writeFileSync(changed, whole)
  await within(upgrade)
  assert.equal(await installedVersion(), version)
  done(`updated to ${version} from the signed repository`)
}

async function remove(): Promise<void> {
  const files = (await within('dpkg -L galley'))
    .split('\n')
    .filter((path) => existsSync(join(root, path)) && statSync(join(root, path)).isFile())
  await within('apt-get -qq -y remove galley && apt-get -qq -y purge galley')
  const left = [...files, '/opt/Galley', '/etc/apt/sources.list.d/galley.sources'].filter((path) =>
    existsSync(join(root, path)),
  )
  assert.deepEqual(left, [])
  assert(existsSync(join(root, 'home', 'editor', '.local', 'share', 'galley')), 'the library stays')
  done('removed and purged; the library is still there')
}

const port = await aPort()
const server = serve(port)
try {
  const key = await makeKey()
  const packages = join(folder, 'packages')
  writeFileSync(join(folder, 'key.gpg'), '')
  await run('gpg', '--batch', '--yes', '--output', join(folder, 'key.gpg'), '--export', key)
  const source = ['--repository', `http://127.0.0.1:${port}/apt`, '--repository-key', join(folder, 'key.gpg')]
  await run(
    process.execPath,
    join(projectRoot, 'scripts', 'package.ts'),
    'deb',
    '--out',
    packages,
    '--fallback-electron',
    ...source,
  )
  const [file = ''] = (await run('find', packages, '-name', '*.deb')).split('\n')
  done('packaged')
  await install(file)
  await use()
  await firstSave(packages)
  const version = await newerThan(file, packages)
  await update(packages, key, version)
  await remove()
} finally {
  server.close()
  for (const child of children) child.kill('SIGKILL')
  await capture('gpgconf', ['--kill', 'gpg-agent'])
  rmSync(folder, { recursive: true, force: true })
}
