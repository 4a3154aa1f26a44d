import { expect, onTestFinished } from 'vitest'

import { createMemoryStore } from '../../../../packages/library/secrets/memory.ts'
import { openGalley } from '../../../support/open-galley.ts'
import type { Galley } from '../../../support/open-galley.ts'
import type { Behaviour } from '../../../support/s3-server.ts'
import { startS3Server } from '../../../support/s3-server.ts'
import { aSave, createTestGalley } from '../../../support/test-galley.ts'
import { testWindow } from '../../../support/test-window.ts'

export const keys = { id: 'KEYID', secret: 'a-very-secret-key' }

/** A storage, a library with a save, and windows of libraries with one keychain. */
export async function setUp(behaviour: Behaviour = {}) {
  const storage = await startS3Server(behaviour)
  onTestFinished(storage.close)
  const secrets = createMemoryStore()
  const made = await createTestGalley({ edges: { secrets } })
  await made.know('post-1')
  const { body, headers } = aSave(made.service, { materialId: 'post-1', versionId: 'v1' })
  expect((await made.post(body, headers)).json.rc).toBe(1)
  const place = { bucket: 'team', prefix: 'library', endpoint: storage.url, region: null }
  async function open(folder: string, over: Parameters<typeof testWindow>[1] = {}) {
    const galley = await openGalley({ folder, secrets, log: () => undefined })
    let isOpen = true
    const close = async (): Promise<void> => {
      if (isOpen) await galley.close()
      isOpen = false
    }
    onTestFinished(close)
    return { galley, close, ...testWindow(galley, over) }
  }
  const first = {
    ...made,
    ...testWindow(made.galley, { startListener: () => made.galley.listener.start('127.0.0.1', 0) }),
  }
  return { storage, secrets, place, form: { place, keys }, first, open }
}

type Window = Pick<ReturnType<typeof testWindow>, 'calls' | 'agreed' | 'chosen'>

/** Runs a task of a call to its end. */
export async function ended(
  galley: Galley,
  started: { readonly ok: boolean; readonly value?: { readonly task: string } | null },
) {
  if (!started.ok || !started.value) return started
  await galley.tasks.ended(started.value.task)
  return galley.tasks.find(started.value.task)?.end
}

/** Agrees, shares the library, and opens it as the member that it is then. */
export async function shared(at: Awaited<ReturnType<typeof setUp>>) {
  const { first, form, open } = at
  first.agreed.push(true)
  expect(await ended(first.galley, await first.calls.startTeamImport(form))).toMatchObject({ kind: 'done' })
  await first.close()
  return open(first.folder)
}

export async function tokenOf({ calls, chosen }: Window, folder: string): Promise<string> {
  chosen.push(folder)
  return (await calls.chooseTeamFolder(undefined))?.token ?? ''
}
