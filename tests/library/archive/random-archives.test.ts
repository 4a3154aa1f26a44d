import { readdirSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { archiveLimits } from '../../../packages/wire/protocol/archive.ts'
import { aSave, saveEntries } from '../../support/archives/sound.ts'
import { readWithYauzl } from '../../support/unzip.ts'
import type { TestEntry } from '../../support/zip.ts'
import { aZip } from '../../support/zip.ts'
import { sha256, strays, unpackMedia } from './fixture.ts'

/** File names as created by an editor, with legal but unusual characters. */
const fileName = fc
  .array(fc.constantFrom('a', 'B', '.', '..', ' ', '%', '#', '&', "'", 'é', 'Ж', '🖼', '-', '_', 'png', '/x'), {
    minLength: 1,
    maxLength: 8,
  })
  .map((parts) => `n${parts.join('')}`)

const content = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc
    .tuple(fc.string({ minLength: 1 }), fc.integer({ min: 1, max: 40_000 }))
    .map(([part, n]) => Buffer.from(part.repeat(n))),
)

const anEntry = fc.record({
  name: fileName.map((name) => `vms_media/${name}`),
  data: content.map((bytes) => Buffer.from(bytes)),
  method: fc.constantFrom(0, 8),
  descriptor: fc.constantFrom('none' as const, 'plain' as const, 'signed' as const, 'signed64' as const),
  zip64: fc.boolean(),
})

describe('random archives', () => {
  test('are unpacked like yauzl unpacks them', async () => {
    const archives = fc.uniqueArray(anEntry, { maxLength: 12, selector: (entry) => entry.name })
    await fc.assert(
      fc.asyncProperty(archives, fc.boolean(), async (entries, zip64) => {
        const bytes = aZip(saveEntries(...entries), { zip64 })
        const outcome = await unpackMedia(bytes)
        expect(outcome.failure).toBeNull()
        if (outcome.value === null) return
        const read = Object.entries(await readWithYauzl(bytes)).filter(([name]) => name.startsWith('vms_media/'))
        const ours = Object.entries(outcome.files()).map(([name, data]) => [name, sha256(data)])
        expect(Object.fromEntries(ours)).toEqual(
          Object.fromEntries(read.map(([name, data]) => [name.slice('vms_media/'.length), sha256(data)])),
        )
      }),
      { numRuns: 60 },
    )
  })
})

const sample: readonly TestEntry[] = [
  { name: 'vms_media/stored.bin', data: 'stored content', method: 0 },
  { name: 'vms_media/deflated.txt', data: 'deflated content '.repeat(20), descriptor: 'signed' },
  { name: 'vms_media/sub/empty', data: '' },
  { name: 'vms_media/large.bin', data: Buffer.alloc(1_100_000, 'large') },
  { name: 'metadata_json.json', data: '{"version_id":"v1","webhook_auth_user":"u"}' },
]

/** An archive is either refused as damaged, or complete: then yauzl reads the same media from it. */
async function expectRefusedOrWhole(bytes: Buffer): Promise<'refused' | 'whole'> {
  const outcome = await unpackMedia(bytes, { limits: { ...archiveLimits, unpackedBytes: 50_000_000 } })
  expect(strays(outcome.parent)).toEqual([])
  if (outcome.value === null) {
    expect(['invalid_archive', 'content_too_large', 'missing_asset']).toContain(outcome.failure.kind)
    return 'refused'
  }
  const names = readdirSync(outcome.stagingDir)
  expect(names.filter((name) => !/^(received\.zip|kept\.zip|pack|blob-\d+)$/.test(name))).toEqual([])
  for (const [name, data] of Object.entries(outcome.files())) {
    const known = sample.find((entry) => entry.name === `vms_media/${name}`)
    if (known !== undefined) expect(data.equals(Buffer.from(known.data ?? ''))).toBe(true)
  }
  return 'whole'
}

/** The number of damaged archives per test; raise it for a longer search. */
const mutants = Number(process.env['GALLEY_MUTANTS'] ?? 300)

describe('damage', () => {
  const bytes = aSave(sample)

  test('truncated anywhere', async () => {
    const cuts = [
      ...Array.from({ length: 60 }, (_, index) => bytes.length - 1 - index),
      ...Array.from({ length: 60 }, (_, index) => Math.floor((bytes.length * index) / 60)),
    ]
    for (const cut of new Set(cuts)) expect(await expectRefusedOrWhole(bytes.subarray(0, cut))).toBe('refused')
  })

  test('one byte changed', async () => {
    let refused = 0
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const mutant = Buffer.from(bytes)
        mutant[at] = (mutant[at] ?? 0) ^ change
        if ((await expectRefusedOrWhole(mutant)) === 'refused') refused += 1
      }),
      { numRuns: mutants },
    )
    expect(refused).toBeGreaterThan(mutants / 4)
  })

  test('bytes removed, repeated or overwritten', async () => {
    const edit = fc.tuple(fc.nat(bytes.length - 1), fc.nat(40), fc.uint8Array({ maxLength: 40 }))
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
        let mutant: Buffer = bytes
        for (const [at, length, added] of edits) {
          mutant = Buffer.concat([mutant.subarray(0, at), added, mutant.subarray(at + length)])
        }
        if (!mutant.equals(bytes)) await expectRefusedOrWhole(mutant)
      }),
      { numRuns: mutants },
    )
  })
})
