import type { updates as english } from '../en/updates.ts'
import type { Translated } from './translated.ts'

export const updates: Translated<typeof english> = {
  title: 'Обновления',
  check: 'Проверить обновления',
  checkNow: 'Проверить сейчас',
  daily: 'Проверять обновления раз в день',
  dailyHint:
    'Раз в день отправляет один запрос по адресу, с которым собран этот пакет. Без вашего согласия ничего не устанавливается.',
  off: {
    development: 'Обновления отключены: это среда разработки.',
    not_set: 'Обновления отключены: пакет собран без адреса для них.',
    environment: 'Обновления отключены: задана переменная GALLEY_NO_UPDATES.',
    settings: 'Обновления отключены в настройках.',
  },
  never: 'Проверки ещё не было.',
  newest: 'Это самая новая версия. Проверено {{when}}.',
  failed: 'Galley остаётся в версии {{version}}: {{why}}.',
  steps: {
    named: 'Есть версия {{version}}. Её установит менеджер пакетов.',
    offered: 'Есть версия {{version}}.',
    loading: 'Загружается версия {{version}}: {{share}}',
    ready: 'Версия {{version}} проверена и установится, когда вы выйдете из Galley.',
  },
  skipped: 'Версия {{version}} пропущена.',
  take: 'Загрузить и установить при выходе',
  skip: 'Пропустить эту версию',
  news: 'Что нового в версии {{version}}, {{day}}',
  show: 'Что нового',
  words: {
    newest: 'Обновлено',
    newer: 'Есть обновление',
    failed: 'Не обновлено',
    off: 'Отключено',
    never: 'Не проверено',
  },
}
