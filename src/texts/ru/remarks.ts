import type { remarks as english } from '../en/remarks.ts'
import type { Translated } from './translated.ts'

export const remarks: Translated<typeof english> = {
  font_file_missing: 'CSS шрифтов ссылается на файл {{name}}, которого нет в архиве.',
  font_tree_unread: 'Дерево шрифтов из колбэка прочитать не удалось, и в ответе его нет.',
  font_tree_kept: '{{name}} прочитать не удалось: файл сохранён без изменений.',
  state_unread: 'Состояние текущей версии прочитать из библиотеки не удалось.',
  page_file_missing: 'Страница ссылается на файл {{name}}, которого нет в архиве.',
  stored_file_missing:
    'В сохранении есть ссылка на файл {{name}}, которого в библиотеке больше нет, поэтому посетители его не видят. Добавьте файл в редакторе снова.',
  style_sheet_unread:
    'Файл {{name}} больше 32 МБ, поэтому ссылки в нём не учитываются: файлы, на которые ссылается только он, могут быть удалены.',
  script_left: 'Скрипт ссылается на временные имена и оставлен без изменений: {{name}}.',
  page_empty: 'Страница пуста.',
  entry_unexpected: 'Файл {{name}} не входит в формат и не сохранён.',
  metadata_not_utf8: 'metadata_json.json не сохранён: это не UTF-8.',
  metadata_not_json: 'metadata_json.json не сохранён: это не JSON.',
  metadata_no_object: 'В metadata_json.json нет объекта, поэтому файл не использован.',
  more: 'Таких замечаний ещё {{name}}.',
}
