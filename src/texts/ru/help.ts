import type { help as english } from '../en/help.ts'
import type { Translated } from './translated.ts'

export const help: Translated<typeof english> = {
  title: 'Справка',
  documentation: 'Показать файлы документации',
  search: 'Поиск по руководству',
  contents: 'Руководство',
  noMatch: 'Ничего не найдено',
  noMatchText: 'Попробуйте другие слова или просмотрите страницы.',
  means: 'Что это значит?',
  about: {
    title: 'О программе Galley',
    text: 'Открывает страницы в облачном редакторе, принимает каждое сохранение, хранит все версии и экспортирует статические сайты.',
    version: 'Версия',
    licence: 'Лицензия',
    library: 'Библиотека',
  },
  copied: 'Данные для диагностики скопированы: версии, состояние библиотеки и последние строки журнала, без секретов',
  commands: {
    open: 'Справка',
    about: 'О программе Galley',
    log: 'Открыть папку журнала',
    diagnostics: 'Скопировать данные для диагностики',
  },
}
