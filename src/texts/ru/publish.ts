import type { publish as english } from '../en/publish.ts'
import type { Translated } from './translated.ts'

export const publish: Translated<typeof english> = {
  title: 'Публикация',
  tabs: {
    pages: 'Страницы',
    design: 'Оформление',
    exports: 'Экспорт',
  },
  command: 'Публикация: {{tab}}',
}
