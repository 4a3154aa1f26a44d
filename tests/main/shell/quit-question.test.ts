import { expect, test } from 'vitest'

import { createTasks } from '../../../packages/library/tasks/tasks.ts'
import { quitQuestion } from '../../../src/main/shell/quit-question.ts'
import { createTexts } from '../../../src/texts/catalogue.ts'

/** Tasks that run until they are cancelled. */
const someTasks = () => createTasks(() => new Date(), expect.unreachable)
const untilCancelled = ({ signal }: { readonly signal: AbortSignal }) =>
  new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('cancelled'))))
const words = (language: 'en' | 'ru') => createTexts(language).getFixedT(language, ['system', 'tasks'] as const)

test('quitting asks only about work that a person would lose', async () => {
  const tasks = someTasks()
  const asked = () => quitQuestion(tasks.list(), words('en'), 'en-GB')
  expect(asked()).toBeNull()
  tasks.start('fontUsage', {}, untilCancelled)
  tasks.start('prune', { isDryRun: true }, untilCancelled)
  expect(asked(), 'what only looks').toBeNull()

  const backup = tasks.start('backup', {}, untilCancelled)
  expect(asked()).toEqual({
    message: 'Still running: Backup',
    detail:
      'The backup will be cancelled and leave no file. Earlier backups are kept.\n\nEverything stored in the library is safe.',
    buttons: ['Quit now', 'Keep running'],
  })
  tasks.start('export', {}, untilCancelled)
  tasks.start('libraryCheck', { isRepair: true }, untilCancelled)
  expect(asked()?.message).toBe('Still running: Export, Backup and Library repair')
  expect(quitQuestion(tasks.list(), words('ru'), 'ru-RU')?.message).toBe(
    'Ещё выполняется: Экспорт, Резервное копирование и Исправление библиотеки',
  )
  tasks.cancel(backup)
  expect(asked()?.message, 'what ends by itself').toBe('Still running: Export and Library repair')
  await tasks.close()
  expect(asked()).toBeNull()
})
