import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

import { send, signed } from '../../tests/support/delivery.ts'
import { galleyProcess, startListen } from '../../tests/support/galley-process.ts'
import { startService, type TestService } from '../../tests/support/service.ts'
import { readWithYauzl } from '../../tests/support/unzip.ts'
import { aZip } from '../../tests/support/zip.ts'
import { withSecretService } from '../runtime/secret-service.ts'
import { twinEnvironment } from './support/twins.ts'
import { NotHeld, type Given, type Torture, type Verdict } from './torture.ts'

/** Sends recognizable secrets through all of Galley, and searches for them wherever it writes. */
export const secrets: Torture = {
  name: 'secrets',
  goal: 'G19',
  title:
    'canary secrets through keychain, open, saves, refusals, export, backup and crashes: found nowhere outside the keychain',
  unit: 'saves',
  size: { long: 200, short: 3 },
  needs: ['secret-service'],
  twins: { 'tells-secrets': 'the listener writes down what it signs with' },
  run: (given) => withSecretService((keychain) => play(given, keychain)),
}

const passwordOf = ({ opens }: TestService): { user: string; password: string } => {
  const { metadata } = JSON.parse(opens.at(-1)?.body ?? '{}') as { metadata?: Record<string, string> }
  return { user: metadata?.['webhook_auth_user'] ?? '', password: metadata?.['webhook_auth_password'] ?? '' }
}

async function play(given: Given, keychain: NodeJS.ProcessEnv): Promise<Verdict> {
  const { size, twin, folder, atEnd, say } = given
  const service = await startService(`canary-${randomBytes(24).toString('hex')}`)
  atEnd(service.close)
  const library = join(folder, 'library')
  const said = join(folder, 'said')
  mkdirSync(said)
  const environment = { ...keychain, GALLEY_SECRETS: 'keychain', HOME: folder }
  const keep = (text: string): void => writeFileSync(join(said, `${randomUUID()}.txt`), text)
  const run = async (args: readonly string[], stdin = ''): Promise<void> => {
    const ran = await galleyProcess([...args, '--json', '--library', library], environment, stdin)
    keep(ran.stdout + ran.stderr)
    if (ran.code !== 0) throw new NotHeld(`galley ${args.join(' ')} ended with ${ran.code}: ${ran.stderr}`)
  }
  const listen = () =>
    startListen(library, { ...environment, ...twinEnvironment(twin, folder) }, { atEnd, lines: 'first' })

  const site = [
    '--base-url',
    service.baseUrl,
    '--api-key',
    service.apiKey,
    '--environment',
    'dev',
    '--callback-auth',
    'basic',
  ]
  const callbacks = ['--callback-url', 'http://127.0.0.1:8787/callback/acme', '--secret-stdin']
  await run(['site', 'add', 'acme', ...site, ...callbacks], `${service.secret}\n`)
  await run(['open', 'acme', 'post-1', '--title', 'A page'])
  const { user, password } = passwordOf(service)
  if (password === '') throw new NotHeld('Opening a session passed on no password for callbacks')
  const basic = Buffer.from(`${user}:${password}`).toString('base64')

  const canaries = new Map([
    ['the api secret', service.secret],
    ['the password of callbacks', password],
    ['the Authorization header', basic],
  ])
  let listener = await listen()
  const found: string[] = []
  for (let at = 0; at < size; at += 1) {
    const { body, headers, signature } = aSave(service, at, { user, password })
    canaries.set(`signature ${at}`, signature)
    const deliver = (more: Record<string, string>) =>
      send(`${listener.url}/callback/acme`, 'POST', body, { 'content-type': 'application/json', ...headers, ...more })
    const refused = [
      await deliver({}),
      await deliver({ authorization: `Basic ${basic}`, 'x-service-signature': '0'.repeat(64) }),
    ]
    const answer = await deliver({ authorization: `Basic ${basic}` })
    if (answer.json.rc !== 1) throw new NotHeld(`A save was answered ${answer.text}`)
    for (const { text } of [...refused, answer]) keep(text)
    if (at % 50 === 49) say(`${at + 1} of ${size} saves`)
  }
  for (const signal of ['SIGSEGV', 'SIGABRT'] as const) {
    found.push(...hitsInProcesses(canaries))
    listener.child.kill(signal)
    await listener.ended
    keep(listener.stderr())
    listener = await listen()
  }
  await run(['site', 'show', 'acme'])
  await run(['callbacks', '--limit', '1000'])
  await run(['export', 'acme', '--out', join(folder, 'export.zip')])
  await run(['export', 'acme', '--out', join(folder, 'export')])
  await run(['backup', join(folder, 'library.galley-backup')])
  await run(['fsck'])
  found.push(...hitsInProcesses(canaries))
  listener.child.kill('SIGTERM')
  await listener.ended
  keep(listener.stderr())

  const searched = await hitsInFiles(folder, canaries)
  found.push(...searched.hits)
  const figures = {
    saves: size,
    canaries: canaries.size,
    files: searched.files,
    MB: searched.bytes / 1e6,
    hits: found.length,
  }
  return { figures, broken: found }
}

/** One delivery whose archive contains credentials, as the contract specifies. */
function aSave(service: TestService, at: number, { user, password }: { user: string; password: string }) {
  const versionId = `v${at}`
  const credentials = { webhook_auth_user: user, webhook_auth_password: password }
  const metadata = { version_id: versionId, version_cdate: new Date().toISOString(), ...credentials }
  const archive = aZip([
    { name: 'vms_html.html', data: `<h1>Save ${at}</h1><img src="dummy-a.png">` },
    { name: 'vms_json.json', data: '{"assets":{"a.png":{"clientUrl":"dummy-a.png"}}}' },
    { name: 'vms_media/a.png', data: randomBytes(2_000) },
    { name: 'metadata_json.json', data: JSON.stringify(metadata) },
  ])
  const contentUrl = service.put('media', versionId, archive)
  return signed(service, {
    event: 'article_saved',
    material_id: 'post-1',
    content_url: contentUrl,
    metadata,
    debug: false,
  })
}

/** A text in every encoding in which it may have been written. */
const spellings = (text: string): readonly Buffer[] => [
  Buffer.from(text),
  Buffer.from(text, 'utf16le'),
  Buffer.from(Buffer.from(text).toString('hex')),
  Buffer.from(Buffer.from(text).toString('base64').replace(/=+$/, '')),
  Buffer.from(encodeURIComponent(text)),
]

function hitsIn(bytes: Buffer, place: string, canaries: ReadonlyMap<string, string>): readonly string[] {
  return Array.from(canaries)
    .filter(([, text]) => spellings(text).some((spelling) => bytes.includes(spelling)))
    .map(([name]) => `${name} stands in ${place}`)
}

/** Arguments and environment of every process. */
function hitsInProcesses(canaries: ReadonlyMap<string, string>): readonly string[] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return processes.flatMap((name) =>
    ['cmdline', 'environ'].flatMap((part) => {
      try {
        return hitsIn(readFileSync(`/proc/${name}/${part}`), `the ${part} of a process`, canaries)
      } catch {
        // The process has ended, or belongs to another user.
        return []
      }
    }),
  )
}

/** Every file below the folder, and the entries of archives. */
async function hitsInFiles(folder: string, canaries: ReadonlyMap<string, string>) {
  const hits: string[] = []
  let [files, total] = [0, 0]
  const look = async (bytes: Buffer, place: string): Promise<void> => {
    files += 1
    total += bytes.length
    hits.push(...hitsIn(bytes, place, canaries))
    if (bytes.subarray(0, 2).equals(Buffer.from([0x1f, 0x8b]))) await look(gunzipSync(bytes), `${place}, unpacked`)
    if (bytes.subarray(0, 4).toString('latin1') !== 'PK\x03\x04') return
    for (const [name, inner] of Object.entries(await readWithYauzl(bytes))) await look(inner, `${name} of ${place}`)
  }
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) await look(readFileSync(path), path.slice(folder.length + 1))
  }
  return { hits, files, bytes: total }
}
