import type { comments as english } from '../en/comments.ts'
import type { Translated } from './translated.ts'

export const comments: Translated<typeof english> = {
  none: 'Комментариев пока нет.',
  noneOpen: 'Открытых комментариев нет.',
  failed: 'Прочитать комментарии не удалось. Библиотека не изменилась; попробуйте ещё раз.',
  thread: 'Комментарий к «{{quote}}»',
  region: 'Фрагмент: {{label}}',
  somebody: 'Кто-то',
  onVersion: 'К версии № {{number}}',
  found: {
    same: 'Есть в этой версии',
    moved: 'Перенесено',
    changed: 'Изменилось после комментария',
    lost: 'В этой версии этого нет',
  },
  waiting: 'Ждёт на этом компьютере, пока не ответит бакет команды.',
  resolvedBy: 'Закрыто: {{name}}',
  resolvedCount_one: '{{count}} закрытый комментарий',
  resolvedCount_few: '{{count}} закрытых комментария',
  resolvedCount_many: '{{count}} закрытых комментариев',
  resolvedCount_other: '{{count}} закрытого комментария',
  show: 'Показать на странице',
  answer: 'Ответить',
  send: 'Отправить',
  empty: 'Напишите ответ.',
  resolve: 'Закрыть',
  reopen: 'Открыть снова',
}
