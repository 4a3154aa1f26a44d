import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

import type { Sha256 } from '../../../../src/contract/ids.ts'
import { indexBeforeLog } from '../../../../src/main/library/db/before-log/convert.ts'
import { rebuildLibrary } from '../../../../src/main/use-cases/care/rebuild.ts'
import { redactArchives } from '../../../../src/main/use-cases/care/redact-archives.ts'
import { restore } from '../../../../src/main/use-cases/care/restore.ts'
import type { LibraryBeforeLog } from '../../../support/before-log.ts'
import { aBackupBeforeLog, aLibraryBeforeLog, portsForRedacting } from '../../../support/before-log.ts'
import { openGalley } from '../../../support/open-galley.ts'
import { temporaryFolder } from '../../../support/test-galley.ts'
import { traces } from '../../../support/traces.ts'
import { readWithYauzl } from '../../../support/unzip.ts'
import { aRun, reportOf } from './library.ts'

const now = () => new Date()
const anySignal = () => new AbortController().signal

/** Opens a library, which creates its log if there is none, without background work. */
async function opened(folder: string, log: (line: string) => void = () => undefined) {
  const galley = await openGalley({ folder, log })
  let closing: Promise<void> | null = null
  const close = () => (closing ??= galley.close())
  onTestFinished(close)
  const ports = portsForRedacting(galley)
  const pending = () => galley.index.unredactedArchives.behind('', 1000)
  return { ...galley, ports, pending, close, redact: () => redactArchives(ports, anySignal()) }
}
type Opened = Awaited<ReturnType<typeof opened>>

/** The files that contain a token of a library. */
async function holders(folder: string, { tokens }: Pick<LibraryBeforeLog, 'tokens'>): Promise<readonly string[]> {
  const found = await Promise.all(tokens.map((token) => traces(folder, token)))
  return [...new Set(found.flat())].toSorted()
}

const versionsOf = ({ index }: Opened) => ['post-1', 'post-2'].flatMap((id) => index.versions.list('acme', id))

async function expectWhole(galley: Opened): Promise<void> {
  expect(await reportOf(galley.care.check({ repair: false }, aRun()))).toMatchObject({ ok: true, findings: [] })
}

/**
 * Expects every stored archive to equal the received one except for its metadata, and to be marked as different in the
 * index.
 */
async function expectRedacted(
  galley: Opened,
  { folder, archives, tokens }: LibraryBeforeLog,
  copies: readonly string[] = [indexBeforeLog],
): Promise<void> {
  expect(await holders(folder, { tokens })).toEqual(copies)
  expect(galley.pending()).toEqual([])
  for (const version of versionsOf(galley)) {
    expect(version.keptSha256).not.toBe(version.archiveSha256)
    const { metadata, ...kept } = await entriesOf(galley, version.keptSha256)
    const { metadata: received, ...others } = await entriesFrom(archives.get(version.archiveSha256))
    expect(kept).toEqual(others)
    const redacted = {
      timeLimitedAuthToken: '[redacted]',
      nested: [{ apiKey: '[redacted]', kept: expect.any(Number) }],
    }
    expect(JSON.parse(metadata)).toEqual({ ...JSON.parse(received), ...redacted })
    expect(galley.index.versions.parts('acme', version.materialId, version.versionId)?.metadata).toBe(metadata)
  }
  await expectWhole(galley)
}

const entriesOf = async ({ vault }: Opened, archive: Sha256) => entriesFrom(await readFile(vault.pathOf(archive)))
async function entriesFrom(archive: Buffer | undefined) {
  const { 'metadata_json.json': metadata, ...others } = await readWithYauzl(archive ?? Buffer.alloc(0))
  return { metadata: metadata?.toString() ?? '', ...others }
}

describe('a library from before the log', () => {
  it('reports its progress while a listener redacts its archives', async () => {
    const library = await aLibraryBeforeLog(24)
    const galley = await opened(library.folder)
    const total = galley.pending().length
    expect(galley.redaction.state()).toEqual({ kind: 'waiting', left: total, total })
    const told: ReturnType<typeof galley.redaction.state>[] = []
    galley.redaction.onState((state) => told.push(state))
    await galley.listener.start('127.0.0.1', 0)
    await expect.poll(() => told.at(-1), { timeout: 10_000 }).toBeNull()
    expect(galley.redaction.state()).toBeNull()
    expect(told[0]).toEqual({ kind: 'running', left: total, total })
    expect(told).toContainEqual({ kind: 'running', left: total - 20, total })
  })

  it('reports the archives that cannot be read', async () => {
    const library = await aLibraryBeforeLog(2)
    const galley = await opened(library.folder)
    const [lost] = galley.pending()
    const total = galley.pending().length
    await rm(galley.vault.pathOf(lost ?? ('' as Sha256)))
    await galley.listener.start('127.0.0.1', 0)
    await expect
      .poll(() => galley.redaction.state(), { timeout: 10_000 })
      .toEqual({ kind: 'unreadable', left: 1, total })
  })

  it('gets a log, an index and a list of callbacks without credentials; then its archives are redacted, but not its copy', async () => {
    const library = await aLibraryBeforeLog()
    const names = [...library.archives.keys()]
    const lines: string[] = []
    const galley = await opened(library.folder, (line) => void lines.push(line))
    expect(lines).toEqual([expect.stringContaining(`kept as ${indexBeforeLog}. It may contain credentials`)])
    expect(await holders(library.folder, library)).toEqual([...names, indexBeforeLog].toSorted())
    expect(galley.pending()).toEqual(names.toSorted())
    await expectWhole(galley)

    expect(await galley.redact()).toEqual({ rewritten: 4, unread: 0 })
    await expectRedacted(galley, library)
    expect(await galley.redact()).toEqual({ rewritten: 0, unread: 0 })
    // As rebuilt from the log alone.
    galley.library.requestRebuild()
    await galley.close()
    await expectRedacted(await opened(library.folder), library)
  })

  it('is redacted while the listener runs', async () => {
    const library = await aLibraryBeforeLog()
    const isDone = Promise.withResolvers<void>()
    const galley = await opened(library.folder, (line) => {
      if (line === 'credentials were removed from 4 stored archives') isDone.resolve()
    })
    await galley.listener.start('127.0.0.1', 0)
    await isDone.promise
    await expectRedacted(galley, library)
  })

  it('is redacted later if the work was stopped or killed between any two of its steps', async () => {
    const library = await aLibraryBeforeLog(24)
    let galley = await opened(library.folder)
    const { ports } = galley
    const stop = new AbortController()
    let jobs = 0
    const run: typeof ports.workers.run = (job) => {
      jobs += 1
      if (jobs === 23) stop.abort()
      return ports.workers.run(job)
    }
    const stopped = redactArchives({ ...ports, workers: { ...ports.workers, run } }, stop.signal)
    await expect(stopped).rejects.toThrow(/abort/)
    expect(galley.pending()).toHaveLength(5)
    await expectWhole(galley)

    // Listed as deleted, but still on disk.
    const late = new AbortController()
    const deleteDropped: typeof ports.vault.deleteDropped = (files, signal) => {
      late.abort()
      return ports.vault.deleteDropped(files, signal)
    }
    await expect(redactArchives({ ...ports, vault: { ...ports.vault, deleteDropped } }, late.signal)).rejects.toThrow(
      /abort/,
    )
    expect(galley.pending()).toHaveLength(5)
    expect(await holders(library.folder, library)).toHaveLength(6)
    await galley.close()

    galley = await opened(library.folder)
    expect(await galley.redact()).toEqual({ rewritten: 0, unread: 0 })
    await expectRedacted(galley, library)
  })

  it('deletes only unused files', async () => {
    const library = await aLibraryBeforeLog()
    const galley = await opened(library.folder)
    const { vault } = galley.ports
    let tries = 0
    const deleteDropped: typeof vault.deleteDropped = (files, signal) => {
      tries += 1
      return tries < 3 ? Promise.resolve({ files: [], bytes: 0, left: 1 }) : vault.deleteDropped(files, signal)
    }
    await redactArchives({ ...galley.ports, vault: { ...vault, deleteDropped } }, anySignal())
    await expectRedacted(galley, library)
  })

  it('keeps written files if it is unknown whether the log names them', async () => {
    const library = await aLibraryBeforeLog()
    const galley = await opened(library.folder)
    const { index } = galley.ports
    const written: Sha256[] = []
    const unredactedArchives: typeof index.unredactedArchives = {
      ...index.unredactedArchives,
      replace(rewritten) {
        written.push(...rewritten.map(({ kept }) => kept.sha256))
        throw Object.assign(new Error('The sync failed'), { code: 'EIO' })
      },
    }
    await expect(
      redactArchives({ ...galley.ports, index: { ...index, unredactedArchives } }, anySignal()),
    ).rejects.toThrow('The sync failed')
    expect(await Promise.all(written.map(galley.vault.sizeOf))).toEqual(written.map(() => expect.any(Number)))
    expect(await galley.redact()).toEqual({ rewritten: 4, unread: 0 })
    await expectRedacted(galley, library)
  })

  it('keeps a damaged archive under its name, and tries a damaged or lost one again', async () => {
    const library = await aLibraryBeforeLog()
    const galley = await opened(library.folder)
    const [first, second] = versionsOf(galley).map(({ keptSha256 }) => galley.vault.pathOf(keptSha256))
    const bytes = await readFile(first ?? '')
    const damaged = Buffer.from(bytes)
    // The damage is in a picture, so the metadata can still be read.
    const at = damaged.indexOf('vms_media/a.png') + 40
    damaged[at] = (damaged[at] ?? 0) ^ 1
    await writeFile(first ?? '', damaged)
    const lost = await readFile(second ?? '')
    await rm(second ?? '')

    expect(await galley.redact()).toEqual({ rewritten: 2, unread: 2 })
    expect(galley.pending()).toHaveLength(2)
    const { findings } = await reportOf(galley.care.check({ repair: false }, aRun()))
    expect(findings.map(({ kind }) => kind).toSorted()).toEqual(['file_changed', 'file_missing'])
    await writeFile(first ?? '', bytes)
    await writeFile(second ?? '', lost)
    expect(await galley.redact()).toEqual({ rewritten: 2, unread: 0 })
    await expectRedacted(galley, library)
  })

  it('knows the remaining work after its log was rebuilt from the index', async () => {
    const library = await aLibraryBeforeLog()
    await (await opened(library.folder)).close()
    await rebuildLibrary(library.folder, { from: 'index', now })
    const galley = await opened(library.folder)
    expect(await galley.redact()).toEqual({ rewritten: 4, unread: 0 })
    await expectRedacted(galley, library)
  })

  it('skips a version that was pruned meanwhile', async () => {
    const library = await aLibraryBeforeLog()
    const galley = await opened(library.folder)
    const retention = { keepVersions: 1, keepDays: null }
    await reportOf(galley.care.prune({ site: null, retention, dryRun: false }, aRun()))
    expect(versionsOf(galley)).toHaveLength(2)
    expect(await galley.redact()).toEqual({ rewritten: 3, unread: 0 })
    await expectRedacted(galley, library)
  })

  it('is redacted by an erase as well, which then leaves no trace of the person', async () => {
    const library = await aLibraryBeforeLog()
    const galley = await opened(library.folder)
    const email = 'editor@example.test'
    const { archives, backups } = await reportOf(galley.care.erase({ email, dryRun: false, backupFolders: [] }, aRun()))
    expect(archives).toBe(4)
    expect(backups).toEqual([join(library.folder, indexBeforeLog)])
    expect(galley.pending()).toEqual([])
    expect(await holders(library.folder, library)).toEqual([indexBeforeLog])
    expect(await traces(library.folder, email)).toEqual([indexBeforeLog])
    await expectWhole(galley)
  })

  it('can be repaired from its redacted archives, and is backed up without credentials', async () => {
    const library = await aLibraryBeforeLog()
    const galley = await opened(library.folder)
    await galley.redact()
    const [picture] = galley.index.versions.media('acme', 'post-1', 'v1')
    await rm(galley.vault.pathOf(picture?.sha256 as Sha256))
    expect(await reportOf(galley.care.check({ repair: true }, aRun()))).toMatchObject({ findings: [{ fixed: true }] })
    await expectRedacted(galley, library)
    const out = await temporaryFolder()
    const file = join(out, 'library.galley-backup')
    await reportOf(galley.care.backUp({ file }, aRun()))
    await reportOf(restore({ file, folder: join(out, 'restored'), now }, aRun()))
    expect(await holders(join(out, 'restored'), library)).toEqual([])
    expect(await holders(out, library)).toEqual([])
  })
})

describe('a backup that holds credentials', () => {
  it('of a library from before the log, is restored without them in log and index, and then redacted', async () => {
    const library = await aLibraryBeforeLog()
    const out = await temporaryFolder()
    const file = await aBackupBeforeLog(library.folder, join(out, 'before.galley-backup'))
    const folder = join(out, 'restored')
    expect(await reportOf(restore({ file, folder, now }, aRun()))).toMatchObject({ versions: 4, materials: 2 })
    expect(await holders(folder, library)).toEqual([...library.archives.keys()].toSorted())
    const galley = await opened(folder)
    expect(await galley.redact()).toEqual({ rewritten: 4, unread: 0 })
    await expectRedacted(galley, { ...library, folder }, [])
  })

  it('of a library that was not redacted yet marks the restored one as such', async () => {
    const library = await aLibraryBeforeLog()
    const out = await temporaryFolder()
    const file = join(out, 'between.galley-backup')
    const before = await opened(library.folder)
    await reportOf(before.care.backUp({ file }, aRun()))
    const folder = join(out, 'restored')
    await reportOf(restore({ file, folder, now }, aRun()))
    const galley = await opened(folder)
    expect(await galley.redact()).toEqual({ rewritten: 4, unread: 0 })
    expect(await holders(folder, library)).toEqual([])
    await expectWhole(galley)
  })
})
