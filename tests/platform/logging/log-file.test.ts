import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

import { openLogFile } from '../../../packages/platform/logging/log-file.ts'
import { temporaryFolder } from '../../support/test-galley.ts'

const asItIs = (line: string): string => line
const read = (library: string, name = 'app.log'): Promise<string> => readFile(join(library, 'logs', name), 'utf8')

describe('the log of a process', () => {
  it('has one line with a time per message, readable only by its user', async () => {
    const library = await temporaryFolder()
    const log = openLogFile(library, 'app', asItIs)
    log.write('first')
    log.write('second\nof two lines')
    const lines = (await read(library)).trimEnd().split('\n')
    expect(lines).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+\S* first$/),
      expect.stringMatching(/ second ↵ of two lines$/),
    ])
    expect(log.recent()).toEqual(lines)
    if (process.platform !== 'win32') expect((await stat(log.file)).mode & 0o777).toBe(0o600)
  })

  it('is rotated at its size limit and keeps the previous file', async () => {
    const library = await temporaryFolder()
    const log = openLogFile(library, 'listener', asItIs)
    const long = 'x'.repeat(10_000)
    for (let at = 0; at < 1_500; at += 1) log.write(`${at} ${long}`)
    expect((await readdir(join(library, 'logs'))).toSorted()).toEqual(['listener.log', 'listener.old.log'])
    for (const name of ['listener.log', 'listener.old.log'])
      expect((await read(library, name)).length).toBeLessThan(2.3 * 1024 ** 2)
    expect(log.recent().at(-1)).toContain(' 1499 x')
  })

  it('creates no library folder, and does not fail if it cannot be written', async () => {
    const library = join(await temporaryFolder(), 'library')
    const log = openLogFile(library, 'app', asItIs)
    log.write('lost')
    await expect(stat(library)).rejects.toThrow('ENOENT')
    await mkdir(library)
    await mkdir(join(library, 'logs', 'app.log'), { recursive: true })
    log.write('lost')
    expect(log.recent()).toEqual([])
  })

  it.skipIf(process.getuid?.() === 0)('does not fail in a read-only library', async () => {
    const library = await temporaryFolder()
    await chmod(library, 0o500)
    openLogFile(library, 'app', asItIs).write('lost')
    expect(await readdir(library)).toEqual([])
    await chmod(library, 0o700)
  })
})

describe('secrets never reach the log', () => {
  it('known ones, also after their source is gone', async () => {
    const library = await temporaryFolder()
    const log = openLogFile(library, 'app', asItIs)
    let isGone = false
    log.hide(() => {
      if (isGone) throw new Error('closed')
      return ['s3cret+value', 'key-of-acme']
    })
    log.write('with s3cret+value twice s3cret+value')
    isGone = true
    log.write('with key-of-acme later')
    expect(await read(library)).not.toMatch(/s3cret|key-of-acme/)
    expect(await read(library)).toMatch(/with \[redacted\] twice \[redacted\]/)
  })

  it('those of a library that was opened after another one was closed', async () => {
    const library = await temporaryFolder()
    const log = openLogFile(library, 'app', asItIs)
    log.hide(() => {
      throw new Error('closed')
    })
    log.hide(() => ['s3cret-of-the-next'])
    log.write('with s3cret-of-the-next')
    expect(await read(library)).not.toMatch(/s3cret/)
  })

  it('whole, when a line is cut in the middle of one, and in what recent lines of an earlier Galley hold', async () => {
    const library = await temporaryFolder()
    const log = openLogFile(library, 'app', asItIs)
    log.hide(() => ['s3cret-of-the-site'])
    const shown = log.write(`${'x '.repeat(1_995)}s3cret-of-the-site ${'y '.repeat(1_000)}`)
    expect(shown).toHaveLength(4_000)
    expect(shown).not.toContain('s3cr')
    expect(await read(library)).not.toContain('s3cr')
    await writeFile(log.file, '2026-11-01T00:00:00.000Z api_key=abc of jo%40example.com\n')
    expect(log.recent()).toEqual(['2026-11-01T00:00:00.000Z api_key=[redacted] of [redacted]'])
  })
})
