import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { headBytes, readHead, readLine, writeLine } from '../../../packages/library/log/line.ts'
import { changesPerEntry, logFormat, noHash } from '../../../packages/library/records/changes.ts'
import { readSiteInput, siteDefaults } from '../../../packages/library/records/site-input.ts'
import { changesOfAllKinds } from '../../support/random-changes.ts'
import { randomFrom } from '../../support/random.ts'
import { renamed } from './renamed.ts'

const aSite = {
  ...siteDefaults,
  name: 'Acme',
  baseUrl: 'https://svc.test/integration',
  apiKey: 'key',
  callbackUrl: 'https://site.test/callback/acme',
  allowedDomains: [],
  downloadOrigins: [],
}

const sha = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The line of a given entry, valid or not. */
function lineOf(entry: string): Buffer {
  const length = headBytes + Buffer.byteLength(entry) + 2
  return Buffer.from(`{"length":"${String(length).padStart(10, '0')}","sha256":"${sha(entry)}","entry":${entry}}\n`)
}

describe('a line of the log', () => {
  it.each([
    ['plain words', 'Harbour'],
    ['many lines and quotes', 'a\nb\r\n"c"\\ \u2028 {"length":"'],
    ['every language', 'Ünïcödé 日本 \u{1F600} \u202E'],
    ['half a surrogate pair', 'a\ud800b'],
    ['control characters', '\u0000\u0001\u001f\u007f'],
    ['nothing', ''],
    ['as many signs as a title may have', 'ü'.repeat(1_000)],
  ])('comes back as it was written: %s', (_name, title) => {
    const changes = [renamed(title), renamed('other')]
    const { bytes, hash } = writeLine(7, sha('before'), changes)
    const read = readLine(bytes)
    expect(read).toEqual({
      ok: true,
      entry: { format: logFormat, position: 7, previous: sha('before'), writer: '', changes },
      hash,
    })
    expect(readHead(bytes.subarray(0, headBytes))).toEqual({ length: bytes.length, hash })
    // One line, so that every reader finds the same line feeds.
    expect(bytes.indexOf(0x0a)).toBe(bytes.length - 1)
    expect(JSON.parse(bytes.toString('utf8'))).toMatchObject({ sha256: hash })
  })

  it('is the same for the same entry, and different for another position or predecessor', () => {
    const hashes = [
      writeLine(1, noHash, [renamed('a')]),
      writeLine(1, noHash, [renamed('a')]),
      writeLine(2, noHash, [renamed('a')]),
      writeLine(1, sha('x'), [renamed('a')]),
    ].map(({ hash }) => hash)
    expect(new Set(hashes).size).toBe(3)
    expect(hashes[0]).toBe(hashes[1])
  })

  it('detects every changed bit', () => {
    const { bytes } = writeLine(3, sha('before'), [renamed('Über den Hafen')])
    const random = randomFrom(20_261_122)
    const flips = Array.from({ length: 2_000 }, () => Math.floor(random() * bytes.length * 8))
    for (const flip of [...flips, 0, bytes.length * 8 - 1]) {
      const changed = Buffer.from(bytes)
      const at = flip >> 3
      changed[at] = (changed[at] ?? 0) ^ (1 << (flip & 7))
      expect(readLine(changed), `bit ${flip}`).toEqual({ ok: false, fault: 'damaged' })
    }
  })

  it('detects every wrong length', () => {
    const { bytes } = writeLine(3, noHash, [renamed('Harbour')])
    for (let length = 0; length < bytes.length; length += 1) {
      expect(readLine(bytes.subarray(0, length)), `${length} bytes`).toEqual({ ok: false, fault: 'damaged' })
      const zeros = Buffer.alloc(bytes.length)
      bytes.copy(zeros, 0, 0, length)
      // What a file system leaves if it extended the file without writing the data.
      expect(readLine(zeros), `${length} bytes, then zeros`).toEqual({ ok: false, fault: 'damaged' })
    }
    for (const more of ['\n', ' ', '\0', bytes])
      expect(readLine(Buffer.concat([bytes, Buffer.from(more)]))).toEqual({ ok: false, fault: 'damaged' })
  })

  it('of a later version of Galley is told from a damaged one', () => {
    const changes = '[{"kind":"something_new","what":1}]'
    const entry = (format: number, more = changes) =>
      `{"galley":${format},"position":1,"previous":"${noHash}","changes":${more}}`
    expect(readLine(lineOf(entry(logFormat + 1)))).toEqual({ ok: false, fault: 'newer' })
    expect(readLine(lineOf(entry(logFormat + 1, '"of another form"')))).toEqual({ ok: false, fault: 'newer' })
    const known = JSON.stringify([renamed('a')])
    expect(readLine(lineOf(entry(logFormat + 1, known)))).toEqual({ ok: false, fault: 'newer' })
    // A hash proves that nothing was changed, not that Galley wrote it.
    for (const text of [
      '[]',
      'null',
      '{',
      '"galley"',
      '{"galley":"2"}',
      entry(logFormat, known).replace('"galley":', '"galley": '),
    ])
      expect(readLine(lineOf(text)), text).toEqual({ ok: false, fault: 'damaged' })
    // What begins as an entry of this format is one, and is skipped as a whole.
    const skippedWith = (more: string, skipped: string) =>
      expect(readLine(lineOf(entry(logFormat, more))), more).toMatchObject({
        ok: true,
        entry: { changes: [], skipped },
      })
    skippedWith(changes, '0.kind')
    skippedWith('[]', '')
    skippedWith('{', '')
    skippedWith(known.replace(/]$/, ',{"kind":"site_removed"}]'), '1.site')
    skippedWith(JSON.stringify([renamed('ü'.repeat(10_001))]), '0.set.title')
    expect(readLine(lineOf(entry(logFormat, known)))).toMatchObject({ ok: true })
  })

  it('is not written with more changes than can be read', () => {
    const tooMany = Array.from({ length: changesPerEntry + 1 }, () => renamed('a'))
    expect(readLine(writeLine(1, noHash, tooMany.slice(1)).bytes).ok).toBe(true)
    expect(() => writeLine(1, noHash, tooMany)).toThrow('too many changes')
  })

  it('contains only valid site ids, in changes of every kind', () => {
    const kinds = new Set<string>()
    const odd = fc.constantFrom(
      '..',
      '../x',
      'a/b',
      'a\\b',
      'C:',
      '.a',
      '',
      'acme\n',
      'x'.repeat(64),
      'é',
      'a@b',
      'a b',
    )
    const good = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/)
    fc.assert(
      fc.property(fc.oneof(odd, good, fc.string({ unit: 'binary' })), fc.nat(200), (id, seed) => {
        const read = readSiteInput({ ...aSite, id })
        for (const change of changesOfAllKinds(seed)) {
          const text = JSON.stringify(change)
          const other = text.replace(/"(?:acme|other|odd\.one-1)"/g, () => JSON.stringify(id))
          if (other === text) continue
          kinds.add(change.kind)
          const line = lineOf(`{"galley":${logFormat},"position":1,"previous":"${noHash}","changes":[${other}]}`)
          const found = readLine(line)
          // A pause of all sites is a field of the site without a name.
          const isOfAllSites = id === '' && change.kind === 'fields_set' && change.record === 'site'
          const isGood = found.ok && found.entry.skipped === undefined
          expect(isGood, other.slice(0, 300)).toBe(read.ok || isOfAllSites)
        }
      }),
      { seed: 20_261_122, numRuns: 150 },
    )
    expect(kinds.size).toBe(17)
  })

  it('accepts only one form of head', () => {
    const { bytes } = writeLine(1, noHash, [renamed('a')])
    expect(readHead(bytes)).not.toBe(null)
    const text = bytes.toString('utf8')
    for (const other of [
      text.replace('"length":"0', '"length":"-'),
      text.replace(/"length":"\d{10}/, '"length":"0000000001'),
      text.replace(/"length":"\d{10}/, '"length":"9999999999'),
      text.replace('"sha256":"', '"sha256":"G').slice(0, -1),
      text.slice(1),
      '',
    ])
      expect(readHead(Buffer.from(other)), other.slice(0, 60)).toBe(null)
  })
})
