import { canKeepLibrary } from '@galley/library'

import type { Language } from '../../texts/catalogue.ts'
import { createTexts } from '../../texts/catalogue.ts'
import type { Desktop } from '../ipc/desktop.ts'

export interface StartFailure {
  /** The library that could not be opened. */
  readonly folder: string
  readonly language: Language
  readonly desktop: Pick<Desktop, 'warn' | 'chooseFolder' | 'relaunch'>
  readonly remember: (folder: string) => Promise<unknown>
  readonly quit: () => void
}

/**
 * Reports that the library could not be opened, and offers another folder or quitting. A window could not do this, because
 * its content, including its language, comes from the library.
 */
export async function showStartFailure(failure: StartFailure): Promise<void> {
  const { folder, language, desktop, remember, quit } = failure
  const t = createTexts(language).getFixedT(language, 'system')
  const wantsAnother = await desktop.warn({
    message: t('startFailed.title'),
    detail: t('startFailed.text', { folder }),
    buttons: [t('startFailed.choose'), t('menu.quit')],
  })
  const chosen = wantsAnother ? await desktop.chooseFolder('libraryFolder') : null
  if (chosen === null) return quit()
  if (!(await canKeepLibrary(chosen))) return showStartFailure({ ...failure, folder: chosen })
  await remember(chosen)
  return desktop.relaunch()
}
