import { expect } from 'vitest'

import { callbackHandlers } from '../../../../src/main/ipc/handlers/callbacks.ts'
import { fieldHandlers } from '../../../../src/main/ipc/handlers/fields.ts'
import { materialHandlers } from '../../../../src/main/ipc/handlers/materials.ts'
import { mediaHandlers } from '../../../../src/main/ipc/handlers/media.ts'
import { versionHandlers } from '../../../../src/main/ipc/handlers/versions.ts'
import { createQuestions } from '../../../../src/main/ipc/questions.ts'
import { createTexts } from '../../../../src/texts/catalogue.ts'
import { aSave, createTestGalley } from '../../../support/test-galley.ts'
import { testDesktop } from '../../../support/test-window.ts'

/** A library with two saved materials and an unsaved one, and the calls about materials and versions. */
export async function setUp() {
  const made = await createTestGalley()
  const { galley, service, post } = made
  const pages = [
    ['harbour', '<h1>A weekend by the harbour</h1><p>Bring a jacket, and an appetite for oranges.</p>', 'ida@a.test'],
    ['market', '<h1>The market</h1><p>Oranges, apples and bread.</p>', 'otto@a.test'],
  ] as const
  for (const [materialId, html, editor] of pages) {
    const { sessions } = galley
    await sessions.open({ site: 'acme', materialId, title: null, slug: null, metadata: null })
    const metadata = { user_email: editor }
    const save = aSave(service, {
      materialId,
      html: `${html}<img src="dummy-hero.png">`,
      versionId: `${materialId}-1`,
      metadata,
    })
    expect((await post(save.body, save.headers)).json.rc).toBe(1)
  }
  await made.know('never-saved')
  const { desktop, asked, agreed } = testDesktop()
  let changes = 0
  const changed = (): void => void (changes += 1)
  return {
    ...made,
    callbacks: callbackHandlers(galley, desktop, changed),
    calls: {
      ...materialHandlers(galley, {
        questions: createQuestions(
          desktop.ask,
          () => createTexts('en').getFixedT('en', 'system'),
          galley.confirmations,
        ),
        changed,
        careEnded: changed,
      }),
      ...fieldHandlers(galley, changed),
    },
    asked,
    agreed,
    ended: async (started: { ok: boolean; value?: { task: string } | null }) => {
      const task = started.value?.task ?? ''
      await galley.tasks.ended(task)
      return galley.tasks.find(task)?.end
    },
    versionCalls: { ...versionHandlers(galley), ...mediaHandlers(galley) },
    /** How often the windows were notified since the last call. */
    changes: () => {
      const since = changes
      changes = 0
      return since
    },
  }
}
