import { deflateRawSync } from 'node:zlib'

import { picture } from '../archives/sample-files.ts'
import type { Entry } from '../archives/zip.ts'
import type { SaveParts } from '../drive/prepare.ts'
import { accepted, refused, wholeOrRefused } from '../judge/common-verdicts.ts'
import type { Case, Severity, Theme } from '../suite/case.ts'
import { advice, contract, listener } from '../suite/case.ts'

const unusable = contract('Callback answer', 'rc 1 = accepted and saved; this archive holds nothing that could be')
const damaged = listener('archive not a ZIP, damaged, unsafe or incomplete: rc 0, invalid_archive')
const contents = contract('Media ZIP contents', 'vms_html.html, vms_json.json')

/** An archive that must be refused. */
const bad = (
  id: string,
  name: string,
  parts: SaveParts,
  severity: Severity,
  rule = damaged,
  dependsOn = 'save-accepted',
): Case => ({
  id,
  name,
  rule,
  severity,
  dependsOn,
  run: async (bench) => refused(bench, await bench.save(parts)),
})

/** An unusual but valid archive, which should be accepted. */
const sound = (
  id: string,
  name: string,
  parts: SaveParts,
  rule = advice('other programs write such archives'),
): Case => ({
  id,
  name,
  rule,
  severity: 'unwise',
  run: async (bench) => accepted(await bench.save(parts)),
})

type Change = (entry: Entry) => Entry

/** Changes the first entry whose name ends like this. */
const altered =
  (ending: string, change: Change): SaveParts['entries'] =>
  (entries) =>
    entries.map((entry) => (String(entry.name).endsWith(ending) ? change(entry) : entry))

const without =
  (name: string): SaveParts['entries'] =>
  (entries) =>
    entries.filter((entry) => entry.name !== name)

const withMore =
  (...more: readonly Entry[]): SaveParts['entries'] =>
  (entries) => [...entries, ...more]

const text = 'the same text again and again '.repeat(40)

export const malformedArchives: Theme = {
  title: 'Malformed archives',
  dependsOn: 'save-accepted',
  cases: [
    bad(
      'archive-not-zip',
      'Bytes that are not a ZIP file are not accepted',
      { archive: () => Buffer.from('x'.repeat(2000)) },
      'breaks the contract',
      unusable,
    ),
    bad(
      'archive-cut',
      'An archive without its end record is not accepted',
      { archive: (zip) => zip.subarray(0, -60) },
      'breaks the contract',
      unusable,
    ),
    bad(
      'archive-half',
      'Half an archive is not accepted',
      { archive: (zip) => zip.subarray(0, zip.length >> 1) },
      'breaks the contract',
      unusable,
    ),
    bad(
      'archive-no-entries',
      'An archive without entries is not accepted',
      { entries: () => [] },
      'breaks the contract',
      unusable,
    ),
    bad(
      'archive-no-state',
      'An archive without vms_json.json is not accepted',
      { entries: without('vms_json.json') },
      'breaks the contract',
      contents,
    ),
    bad(
      'archive-no-page',
      'An archive without vms_html.html is not accepted',
      { entries: without('vms_html.html') },
      'unsafe',
      contents,
    ),
    bad(
      'state-not-json',
      'A vms_json.json that is not JSON is not accepted',
      { state: '{"assets":' },
      'breaks the contract',
      unusable,
    ),
    bad('state-empty', 'An empty vms_json.json is not accepted', { state: '' }, 'breaks the contract', unusable),
    bad(
      'state-list',
      'A vms_json.json that is a list is not accepted',
      { state: '[]' },
      'breaks the contract',
      contract('Terms', 'vms_json: JSON object'),
    ),
    bad(
      'state-null',
      'A vms_json.json that is null is not accepted',
      { state: 'null' },
      'breaks the contract',
      contract('Terms', 'vms_json: JSON object'),
    ),
    bad(
      'state-not-utf8',
      'A vms_json.json that is not UTF-8 is not accepted',
      { state: Buffer.from('{"a":"\xff\xfe"}', 'latin1'), files: {} },
      'unsafe',
    ),
    {
      id: 'state-byte-order-mark',
      name: 'A byte order mark before the state is skipped or refused, and the state is not lost',
      rule: contract('Callback answer', 'data.vms_json: for article_saved on success'),
      severity: 'breaks the contract',
      dependsOn: 'state-kept',
      run: async (bench) => {
        const delivered = await bench.save({ state: '\ufeff{"title":"marked","assets":{}}', files: {} })
        return wholeOrRefused(bench, { ...delivered, stateText: '{"title":"marked","assets":{}}' })
      },
    },
    bad(
      'archive-crc-media',
      'A media file with a wrong checksum is not accepted',
      { entries: altered('.png', (entry) => ({ ...entry, says: { crc: 5 } })) },
      'unsafe',
    ),
    bad(
      'archive-crc-page',
      'A page with a wrong checksum is not accepted',
      { entries: altered('.html', (entry) => ({ ...entry, says: { crc: 5 } })) },
      'unsafe',
      damaged,
      'archive-crc-media',
    ),
    bad(
      'archive-crc-state',
      'A state with a wrong checksum is not accepted',
      { entries: altered('vms_json.json', (entry) => ({ ...entry, says: { crc: 5 } })) },
      'unsafe',
      damaged,
      'archive-crc-media',
    ),
    bad(
      'archive-deflate-broken',
      'A media file that cannot be unpacked is not accepted',
      {
        entries: altered('.png', (entry) => ({
          ...entry,
          isStored: false,
          raw: Buffer.alloc(200, 0xff),
          says: { method: 8 },
        })),
      },
      'breaks the contract',
      unusable,
    ),
    bad(
      'archive-deflate-cut',
      'A media file with truncated compressed data is not accepted',
      {
        entries: altered('.png', (entry) => ({
          ...entry,
          isStored: false,
          data: text,
          raw: deflateRawSync(text).subarray(0, -5),
        })),
      },
      'unsafe',
    ),
    bad(
      'archive-encrypted',
      'An encrypted file is not accepted',
      { entries: altered('.png', (entry) => ({ ...entry, raw: Buffer.alloc(300, 0xaa), says: { flags: 0x801 } })) },
      'unsafe',
    ),
    bad(
      'archive-method',
      'A file with an unsupported compression method is not accepted',
      { entries: altered('.png', (entry) => ({ ...entry, raw: Buffer.alloc(300, 0xaa), says: { method: 99 } })) },
      'breaks the contract',
      unusable,
    ),
    bad(
      'archive-size-more',
      'A file that is longer than declared is not accepted',
      {
        entries: altered('.png', (entry) => ({ ...entry, isStored: false, says: { sizeBytes: 10 } })),
      },
      'unwise',
      damaged,
      'archive-crc-media',
    ),
    bad(
      'archive-size-less',
      'A file that is shorter than declared is not accepted',
      {
        entries: altered('.png', (entry) => ({ ...entry, isStored: false, says: { sizeBytes: 100_000 } })),
      },
      'unwise',
      damaged,
      'archive-crc-media',
    ),
    bad(
      'archive-two-states',
      'Two files named vms_json.json are not accepted',
      { entries: withMore({ name: 'vms_json.json', data: '{"other":true}' }) },
      'unwise',
    ),
    bad(
      'archive-two-pictures',
      'Two files of the same name are not accepted',
      { files: { 'twice.png': picture('twice') }, entries: withMore({ name: 'vms_media/twice.png', data: 'other' }) },
      'unwise',
    ),
    bad(
      'archive-two-names',
      'A file with two different names in its headers is not accepted',
      {
        entries: altered('.png', (entry) => ({ ...entry, saysLocally: { name: 'vms_media/evil.png' } })),
      },
      'unwise',
    ),
    bad(
      'archive-something-behind',
      'An archive with data after its end is not accepted',
      { archive: (zip) => Buffer.concat([zip, Buffer.from('more')]) },
      'unwise',
    ),
    bad(
      'archive-something-before',
      'An archive with data before its beginning is not accepted',
      { archive: (zip) => Buffer.concat([Buffer.from('#!/bin/sh\n'), zip]) },
      'unwise',
    ),
    bad(
      'archive-two-ends',
      'Two concatenated archives are not accepted',
      { archive: (zip) => Buffer.concat([zip, zip]) },
      'unwise',
    ),
    bad(
      'page-not-utf8',
      'A page that is not UTF-8 is not accepted',
      { html: Buffer.from('<p>\xe4</p>', 'latin1') },
      'unwise',
    ),
    {
      id: 'archive-compressed',
      name: 'Deflated and stored files are both read',
      rule: contract('Media ZIP contents', 'vms_media/*: media files of the publication'),
      severity: 'breaks the contract',
      run: async (bench) =>
        accepted(
          await bench.save({ entries: (all) => all.map((entry, at) => ({ ...entry, isStored: at % 2 === 0 })) }),
        ),
    },
    sound('archive-folders', 'Entries for folders do no harm', {
      entries: (all) => [{ name: 'vms_media/', data: '', isStored: true, attributes: 0o040755 * 65536 + 16 }, ...all],
    }),
    sound('archive-more-entries', 'Unknown entries do no harm', {
      entries: withMore({ name: 'vms_notes.txt', data: 'later' }),
    }),
    sound(
      'archive-no-metadata',
      'An archive without metadata_json.json is accepted',
      { entries: without('metadata_json.json') },
      listener('without metadata_json the save is accepted'),
    ),
    sound('archive-metadata-odd', 'A metadata_json.json that is not JSON is handled safely', {
      entries: altered('metadata_json.json', (entry) => ({ ...entry, data: '{"broken"' })),
    }),
    sound('archive-no-flag', 'UTF-8 names that are not marked as UTF-8 are read', {
      files: { 'plain.png': picture('plain') },
      entries: (all) => all.map((entry) => ({ ...entry, says: { flags: 0 } })),
    }),
  ],
}
