import { readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'

import { traces } from '../support/traces.ts'
import { galley } from './support/cli.ts'
import { aLibrary, aPage, withASave } from './support/library.ts'

const none = { files: 0, bytes: 0 }

async function filesOf(library: string): Promise<readonly string[]> {
  const entries = await readdir(join(library, 'files'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

describe('fsck', () => {
  it('finds nothing in an intact library, reports the problems of a damaged one, and repairs it while a listener runs', async () => {
    const { library, run } = await withASave()
    const whole = await run('fsck')
    expect(whole.code, whole.stderr).toBe(0)
    expect(whole.json()).toMatchObject({ ok: true, repair: false, files: 2, findings: [] })

    const [version] = (await run('versions', 'acme', 'post-1')).json() as { kept_sha256: string }[]
    const kept = version?.kept_sha256 ?? ''
    const pack = (await filesOf(library)).find((path) => !path.endsWith(kept)) ?? ''
    await rm(pack)
    await writeFile(join(library, 'files', '0', '0'.repeat(64)), 'nobody knows me')
    const found = await run('fsck')
    expect(found.code).toBe(1)
    expect(found.json()).toMatchObject({
      ok: false,
      findings: [
        { kind: 'file_missing', fixable: true, fixed: false },
        { kind: 'orphan_file', file: '0'.repeat(64), used_by: [], fixable: true, fixed: false },
      ],
    })
    expect((found.json() as { findings: { used_by: unknown[] }[] }).findings[0]?.used_by).toContainEqual({
      site: 'acme',
      material_id: 'post-1',
      version_id: expect.any(String) as string,
      part: 'hero.png',
    })
    expect(found.stdout).not.toContain(library)

    const repaired = await run('fsck', '--repair')
    expect(repaired.code, repaired.stdout).toBe(0)
    expect(repaired.json()).toMatchObject({ ok: true, repair: true })
    expect((await run('fsck')).json()).toMatchObject({ ok: true, findings: [] })
    expect(await filesOf(library)).toContain(pack)
  })
})

describe('material', () => {
  it('archives, brings back and deletes a material, beside the listener; a later save of it counts as unknown', async () => {
    const { run, save, fingerprint } = await withASave()
    const named = { site: 'acme', material_id: 'post-1' }
    const listed = async (...args: string[]) =>
      ((await run('materials', 'acme', ...args)).json() as { material_id: string }[]).map((each) => each.material_id)
    expect((await run('material', 'archive', 'acme', 'post-1')).json()).toEqual({ ...named, archived: true })
    expect([await listed(), await listed('--archived')]).toEqual([[], ['post-1']])
    expect((await save(fingerprint, aPage('Second'))).result).toBe('merged')
    expect((await run('material', 'unarchive', 'acme', 'post-1')).json()).toEqual({ ...named, archived: false })
    expect([await listed(), await listed('--archived')]).toEqual([['post-1'], []])

    const foretold = await run('material', 'delete', 'acme', 'post-1', '--dry-run')
    expect(foretold.json()).toMatchObject({ dry_run: true, versions: 2, files: 4, protected: { current: 0 } })
    expect(await listed()).toEqual(['post-1'])
    const deleted = await run('material', 'delete', 'acme', 'post-1')
    expect(deleted.json()).toEqual({ ...(foretold.json() as object), dry_run: false })
    expect(await listed()).toEqual([])
    expect((await run('fsck')).json()).toMatchObject({ ok: true, files: 0 })
    expect((await save(fingerprint, aPage('Third'))).result).toBe('rejected')
    const gone = await run('material', 'delete', 'acme', 'post-1')
    expect([gone.code, gone.json()]).toMatchObject([1, { error: { code: 'unknown_material' } }])
    expect((await run('material', 'archive', 'acme')).code).toBe(2)
  })
})

describe('gc and prune', () => {
  it('delete old versions and unused files, and list them before', async () => {
    const { library, run, save, fingerprint } = await withASave()
    expect((await save(fingerprint, aPage('Second'))).result).toBe('merged')
    const before = await filesOf(library)
    expect((await run('gc')).json()).toEqual({ dry_run: false, blobs: 0, files: 0, bytes: 0, set_aside: none })

    const foretold = await run('prune', '--keep-versions', '1', '--dry-run')
    expect(foretold.code, foretold.stderr).toBe(0)
    expect(foretold.json()).toEqual({
      dry_run: true,
      versions: 1,
      files: 2,
      bytes: expect.any(Number) as number,
      list: [
        {
          site: 'acme',
          material_id: 'post-1',
          title: 'First',
          version_id: expect.any(String) as string,
          received_at: expect.any(String) as string,
          bytes: expect.any(Number) as number,
        },
      ],
      protected: { current: 0, outgoing: 0, pinned: 0, approved: 0, tagged: 0, noted: 0, exported: 0 },
    })
    expect(await filesOf(library)).toEqual(before)
    expect((await run('prune', '--keep-versions', '1')).json()).toEqual({
      ...(foretold.json() as object),
      dry_run: false,
    })
    expect(await filesOf(library)).toHaveLength(before.length - 2)
    expect((await run('versions', 'acme', 'post-1')).json()).toHaveLength(1)

    const stranger = join(library, 'files', '0', '0'.repeat(64))
    await writeFile(stranger, 'nobody')
    const longAgo = new Date(Date.now() - 2 * 86_400_000)
    await utimes(stranger, longAgo, longAgo)
    const found = { blobs: 0, files: 0, bytes: 0, set_aside: { files: 1, bytes: 6 } }
    expect((await run('gc', '--dry-run')).json()).toEqual({ dry_run: true, ...found })
    expect((await run('gc')).json()).toEqual({ dry_run: false, ...found })
    const emptied = { blobs: 0, files: 1, bytes: 6, set_aside: none }
    expect((await run('gc', '--empty-lost-and-found')).json()).toEqual({ dry_run: false, ...emptied })
    expect((await run('fsck')).code).toBe(0)
  })

  it('prune requires a rule and an existing site', async () => {
    const { run } = await aLibrary()
    expect((await run('prune')).code).toBe(2)
    const unknown = await run('prune', '--keep-days', '3', '--site', 'nobody')
    expect([unknown.code, unknown.failure().code]).toEqual([1, 'unknown_site'])
  })
})

describe('backup and restore', () => {
  it('carry a library over beside its listener, and list whose secret has to be entered again', async () => {
    const { folder, environment, run } = await withASave()
    const file = join(folder, 'library.zip')
    const written = await run('backup', file)
    expect(written.code, written.stderr).toBe(0)
    expect(written.json()).toEqual({
      ok: true,
      file,
      created_at: expect.any(String) as string,
      files: 2,
      bytes: expect.any(Number) as number,
      materials: 1,
      versions: 1,
      missing: [],
      damaged: [],
      verified: true,
    })
    const library = join(folder, 'restored')
    const restored = await galley(['restore', file, '--json', '--library', library], environment)
    expect(restored.code, restored.stderr).toBe(0)
    expect(restored.json()).toEqual({
      ok: true,
      library,
      created_at: (written.json() as { created_at: string }).created_at,
      files: 2,
      bytes: expect.any(Number) as number,
      materials: 1,
      versions: 1,
      sites_without_secret: ['acme'],
      missing: [],
      damaged: [],
      with_files: true,
    })
    const versions = async (place: string) =>
      (await galley(['versions', 'acme', 'post-1', '--json', '--library', place], environment)).json()
    expect(await versions(library)).toEqual(await versions(join(folder, 'library')))
    expect((await galley(['fsck', '--json', '--library', library], environment)).json()).toMatchObject({
      ok: true,
      findings: [],
    })

    // The message names the new library rather than the default one.
    const inWords = await galley(['restore', file, '--library', join(folder, 'again')], environment)
    expect(inWords.stdout).toContain('confirm it and enter its secret, with the same --library: galley site add acme')

    const taken = await galley(['restore', file, '--json', '--library', library], environment)
    expect([taken.code, taken.failure().code]).toEqual([2, 'usage'])
    await writeFile(file, 'a diary')
    expect((await run('backup', file)).code).toBe(2)
    const none = await galley(['restore', file, '--json', '--library', join(folder, 'other')], environment)
    expect([none.code, none.failure().code]).toEqual([1, 'not_a_backup'])
  })

  it('report what the library has lost, and back up the rest', async () => {
    const { library, folder, run } = await withASave()
    const [lost = ''] = await filesOf(library)
    await rm(lost)
    const written = await run('backup', join(folder, 'library.zip'))
    expect(written.code).toBe(1)
    expect(written.json()).toMatchObject({ ok: false, files: 1, missing: [basename(lost)], damaged: [] })
  })
})

describe('erase', () => {
  it('lists what it will erase, refuses while another process receives saves, and leaves no trace of the person', async () => {
    const { library, run, listener } = await withASave()
    const email = aPage('').user_email
    expect((await run('erase', 'nobody')).code).toBe(2)
    const foretold = await run('erase', email, '--dry-run')
    expect(foretold.code, foretold.stderr).toBe(0)
    expect(foretold.json()).toMatchObject({ archives: 1, backups: [] })
    expect((foretold.json() as { rows: number }).rows).toBeGreaterThan(1)
    expect(await traces(library, email)).not.toEqual([])

    const refused = await run('erase', email)
    expect(refused.code).toBe(1)
    expect(refused.json()).toMatchObject({ error: { code: 'served_elsewhere' } })
    expect((await run('erase', email, '--dry-run')).json()).toEqual(foretold.json())

    listener.child.kill('SIGINT')
    await listener.ended
    expect((await run('erase', 'someone@else.example')).json()).toEqual({
      rows: 0,
      archives: 0,
      release_texts: 0,
      font_sets: 0,
      backups: [],
    })
    const done = await run('erase', email.toUpperCase())
    expect(done.code, done.stderr).toBe(0)
    expect(done.json()).toEqual(foretold.json())
    expect(await traces(library, email)).toEqual([])
    expect((await run('versions', 'acme', 'post-1')).json()).toMatchObject([{ user_email: null }])
    expect((await run('fsck')).json()).toMatchObject({ ok: true, findings: [] })
    expect((await run('gc')).json()).toMatchObject({ files: 0 })
  })
})
