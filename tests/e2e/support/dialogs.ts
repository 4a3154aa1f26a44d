import type { ElectronApplication } from 'playwright'

/** A dialog of the page. Toasts have the role of one, and may be there beside it. */
export const openDialog = '[role="dialog"]:not([data-toast])'

/** Answers the next system dialogs in order; further ones are closed without a choice. */
export const answerDialogs = (app: ElectronApplication, ...paths: readonly string[]): Promise<void> =>
  app.evaluate(({ dialog }, paths: readonly string[]) => {
    const left = [...paths]
    /** The options are the last argument, after the window if there is one. Every dialog must have a title. */
    const checkTitle = (asked: readonly unknown[]): void => {
      if (!(asked.at(-1) as { readonly title?: string }).title) throw new Error('A dialog has no title')
    }
    dialog.showOpenDialog = async (...asked: readonly unknown[]) => {
      checkTitle(asked)
      const path = left.shift()
      return { canceled: path === undefined, filePaths: path === undefined ? [] : [path] }
    }
    dialog.showSaveDialog = async (...asked: readonly unknown[]) => {
      checkTitle(asked)
      const path = left.shift()
      return { canceled: path === undefined, filePath: path ?? '' }
    }
  }, paths)

/** Opens no file browser: records the last path that it would have shown. */
export async function recordShownInFolder(app: ElectronApplication): Promise<() => Promise<string | undefined>> {
  await app.evaluate(({ shell }) => {
    shell.showItemInFolder = (path) => void Object.assign(globalThis, { shownInFolder: path })
  })
  return () => app.evaluate(() => Reflect.get(globalThis, 'shownInFolder') as string | undefined)
}

/** A system dialog as a user would see it. */
export interface AskedQuestion {
  readonly message: string
  readonly detail: string
  readonly buttons: readonly string[]
  readonly defaultId: number
  readonly cancelId: number
}

/**
 * From now on, answers every system dialog with its first button, or as the Return key would. The returned function
 * lists the dialogs.
 */
export async function answerQuestions(
  app: ElectronApplication,
  answer: 'first button' | 'return key',
): Promise<() => Promise<readonly AskedQuestion[]>> {
  await app.evaluate(({ dialog }, answer) => {
    const asked: unknown[] = []
    Object.assign(globalThis, { asked })
    dialog.showMessageBox = (async (options: { readonly defaultId: number }) => {
      asked.push(options)
      return { response: answer === 'first button' ? 0 : options.defaultId, checkboxChecked: false }
    }) as unknown as typeof dialog.showMessageBox
  }, answer)
  return () => app.evaluate(() => Reflect.get(globalThis, 'asked') as AskedQuestion[])
}
