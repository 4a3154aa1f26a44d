import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createShellFiles, shellPolicy } from '../../../src/main/shell/shell-files.ts'

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galley-shell-'))
  await mkdir(join(folder, 'built/assets'), { recursive: true })
  await writeFile(join(folder, 'built/index.html'), '<!doctype html>')
  await writeFile(join(folder, 'built/assets/app.js'), 'void 0')
  await writeFile(join(folder, 'built/assets/app.js.map'), '{}')
  await writeFile(join(folder, 'secret.html'), 'secret')
})
afterEach(() => rm(folder, { recursive: true }))

describe('the files of the window', () => {
  it('are served with their type and the policy', async () => {
    const answer = await createShellFiles(join(folder, 'built'))
    const page = await answer('app://galley/index.html?x#y', 'GET')
    expect([page.status, await page.text()]).toEqual([200, '<!doctype html>'])
    expect(page.headers.get('content-security-policy')).toBe(shellPolicy)
    expect(page.headers.get('x-content-type-options')).toBe('nosniff')
    const script = await answer('app://galley/assets/app.js', 'GET')
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  })

  it('are the only ones: nothing else, nothing outside, no other method', async () => {
    const answer = await createShellFiles(join(folder, 'built'))
    const tried = [
      'app://galley/',
      'app://galley/assets',
      'app://galley/assets/app.js.map',
      'app://galley/../secret.html',
      'app://galley/%2e%2e/secret.html',
      'app://galley/..%2fsecret.html',
      'app://galley/assets/..%5c..%5csecret.html',
      `app://galley/${join(folder, 'secret.html')}`,
      'app://galley/__proto__',
    ]
    for (const url of tried) expect((await answer(url, 'GET')).status, url).toBe(404)
    expect((await answer('app://galley/index.html', 'POST')).status).toBe(404)
  })

  it('have a policy that allows nothing unsafe', () => {
    expect(shellPolicy).toMatch(/^default-src 'none'/)
    expect(shellPolicy).not.toMatch(/unsafe|\*|https?:|data:/)
  })
})
