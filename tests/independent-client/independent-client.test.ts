import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { stream } from '../cli/support/cli.ts'

/**
 * What the client beside this file, a site backend in Python that knows nothing but the contract, has to find at the
 * emulator. Listed here, so that a check that is not run is missed.
 */
const checks: readonly string[] = [
  'open answers session_id, fingerprint, url and resizeMode',
  'open without the right signature is refused',
  'open with an unknown key is refused',
  'open with a callback host outside the allowed domains is refused',
  'open without material_id is refused',
  'a repeated open returns the existing session',
  'another material has a session of its own',
  'the first open takes the passed vms_json',
  'a repeated open does not update vms_json',
  'a repeated open replaces the metadata completely',
  "version_id and version_cdate stay the session's on a repeated open",
  'user_email and user_ip stay unless non-empty strings are passed',
  'user_email and user_ip are taken over when they are non-empty strings',

  'article_saved carries event, material_id, content_url, metadata and debug',
  'article_saved is signed over material_id:content_url',
  'metadata come back as they were passed, with the service keys',
  'each save makes a version of its own, not older than the one before',
  'the media ZIP holds the page, the state, the media and the metadata, and nothing else',
  'metadata_json.json holds the metadata of the session and of the version',
  'new files are referred to by their temporary names',
  'the public URLs of the answer are taken into the stored state',
  "the next opening works with the site's files",
  'a file the site has stored is not sent again',
  'rc 0 refuses the save with its reason, and nothing is downloaded or written',
  'a refused save changes no URL of the stored state',
  'an answered dummy- URL fails the webhook with dummy_client_url and merges nothing',
  'an answered empty URL fails the webhook with dummy_client_url and merges nothing',

  'a download is signed over the bare address, key and material in the query',
  "a download without a signature, or with another's, is refused with 403",
  "another material's archive is refused with 403, however well signed",
  'a version that does not exist is answered 404',
  'a download without api_key or material_id is refused',
  'an archive can be fetched again, and an earlier version after a later one',
  'a download can be taken up again where it broke off',

  'no credentials, no Authorization header',
  'user and password make a Basic header',
  'a user alone makes a Bearer header',
  'an empty password, or none that is a string, makes a Bearer header',
  'the Bearer prefix is not doubled',
  'a password without a user makes no header',
  'a repeated open changes the credentials',
  'the credentials appear in metadata_json.json',

  'site_fonts_updated carries event, material_id, content_url, metadata and fonts, signed the same way',
  'the fonts ZIP holds the files, the CSS and the tree, and nothing else',
  'a tree answered with public URLs on allowed domains is accepted',
  'the answer may leave the tree out',
  'an answered URL outside the allowed domains is not accepted, and is named',
  'rc 0 refuses the fonts with its reason, and nothing is downloaded',
  'the fonts ZIP is fetched by the rules of the media ZIP',

  'rollback brings an earlier state back, and the next save is a version of its own',
  'earlier versions stay for two weeks from the last access',
  'two weeks after the last access the session is gone with its versions',
  'a session that is gone is opened with the state that the site passes, and takes saves',
  'the files of a restored session are fetched from the site',
  'the files of a restored session are fetched with the Basic header of the callbacks',
  'the files of a restored session are fetched with the Bearer header of the callbacks',
  'a file that the site no longer has is named, and the others are there',
]

interface Finding {
  readonly check: string
  readonly holds: boolean
  readonly why: string | null
}

const found: Finding[] = []
const cleanings: (() => Promise<void>)[] = []

beforeAll(async () => {
  const secret = 'an independent secret'
  const command = ['emulator', '--json', '--port', '0', '--api-key', 'independent-key', '--secret-stdin']
  const emulator = stream(command, {}, { stdin: secret, atEnd: (clean) => cleanings.push(clean) })
  const ready = (await emulator.line((line: { event?: string }) => line.event === 'ready')) as { base_url: string }
  const setup = { base_url: ready.base_url, api_key: 'independent-key', api_secret: secret }

  const script = fileURLToPath(new URL('run.py', import.meta.url))
  const client = spawn('python3', ['-B', script], { stdio: ['pipe', 'pipe', 'inherit'] })
  createInterface(client.stdout).on('line', (line) => found.push(JSON.parse(line) as Finding))
  client.stdin.end(JSON.stringify(setup))
  await once(client, 'close')
})

afterAll(async () => {
  for (const clean of cleanings) await clean()
})

test.each(checks)('%s', (check) => {
  expect(found.filter((finding) => finding.check === check)).toEqual([{ check, holds: true, why: null }])
})

test('the client makes no other checks', () => {
  expect(found.map(({ check }) => check).toSorted()).toEqual(checks.toSorted())
})
