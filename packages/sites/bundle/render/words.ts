/** The built-in texts of a theme's pages. Templates fill in `{n}`, `{total}` and so on. */
export const wordKeys = [
  'skip', 'menu', 'home', 'posts', 'newer', 'older', 'page_of', 'previous', 'next', 'tags', 'tagged', 'archive', 'search',
  'search_hint', 'search_none', 'search_off', 'not_found', 'not_found_hint', 'back_home', 'updated', 'by', 'feed', 'pinned',
  'nothing_yet', 'moved',
] as const // prettier-ignore

export type WordKey = (typeof wordKeys)[number]
export type Words = Readonly<Record<WordKey, string>>

/** A theme's own texts, by language. */
export type OwnWords = Readonly<Record<string, Partial<Words>>>

const table = (rows: string): Words => {
  const texts = rows.split('|').map((text) => text.trim())
  return Object.fromEntries(wordKeys.map((key, index) => [key, texts[index] ?? ''])) as Record<WordKey, string>
}

const english = table(`Skip to content|Menu|Home|Posts|Newer posts|Older posts|Page {n} of {total}|Previous|Next|Tags
  |Posts tagged “{tag}”|Archive|Search|What are you looking for?|Nothing was found.|Search needs JavaScript, which is off here.
  |Page not found|There is no page at this address. It may have moved.|To the home page|Updated|By|Feed|Pinned
  |Nothing has been published yet.|This page has moved to {url}.`)

/** By primary language. */
const wordsByLanguage = new Map<string, Words>([
  ['en', english],
  [
    'ru',
    table(`Перейти к содержанию|Меню|Главная|Записи|Более новые записи|Более ранние записи|Страница {n} из {total}|Предыдущая
      |Следующая|Метки|Записи с меткой «{tag}»|Архив|Поиск|Что вы ищете?|Ничего не найдено.
      |Для поиска нужен JavaScript, а он здесь отключён.|Страница не найдена|По этому адресу страницы нет. Возможно, её перенесли.
      |На главную|Обновлено|Автор:|Лента|Закреплено|Пока ничего не опубликовано.|Страница переехала: {url}.`),
  ],
  [
    'de',
    table(`Zum Inhalt springen|Menü|Startseite|Beiträge|Neuere Beiträge|Ältere Beiträge|Seite {n} von {total}|Zurück|Weiter
      |Schlagwörter|Beiträge zu „{tag}“|Archiv|Suche|Wonach suchen Sie?|Nichts gefunden.
      |Die Suche braucht JavaScript, das hier ausgeschaltet ist.|Seite nicht gefunden
      |Unter dieser Adresse gibt es keine Seite. Vielleicht ist sie umgezogen.|Zur Startseite|Aktualisiert|Von|Feed|Angeheftet
      |Noch ist nichts veröffentlicht.|Diese Seite ist umgezogen: {url}.`),
  ],
  [
    'fr',
    table(`Aller au contenu|Menu|Accueil|Articles|Articles plus récents|Articles plus anciens|Page {n} sur {total}|Précédent
      |Suivant|Mots-clés|Articles sur « {tag} »|Archives|Recherche|Que cherchez-vous ?|Aucun résultat.
      |La recherche a besoin de JavaScript, qui est désactivé ici.|Page introuvable
      |Il n’y a pas de page à cette adresse. Elle a peut-être été déplacée.|Vers l’accueil|Mis à jour le|Par|Flux|Épinglé
      |Rien n’a encore été publié.|Cette page a été déplacée : {url}.`),
  ],
  [
    'es',
    table(`Saltar al contenido|Menú|Inicio|Entradas|Entradas más recientes|Entradas anteriores|Página {n} de {total}|Anterior
      |Siguiente|Etiquetas|Entradas sobre «{tag}»|Archivo|Buscar|¿Qué busca?|No se ha encontrado nada.
      |La búsqueda necesita JavaScript, que aquí está desactivado.|Página no encontrada
      |No hay ninguna página en esta dirección. Puede que se haya movido.|A la página de inicio|Actualizado|Por|Canal|Fijada
      |Todavía no se ha publicado nada.|Esta página se ha movido: {url}.`),
  ],
  [
    'ar',
    table(`انتقل إلى المحتوى|القائمة|الرئيسية|المقالات|مقالات أحدث|مقالات أقدم|صفحة {n} من {total}|السابق|التالي|الوسوم
      |مقالات موسومة بـ «{tag}»|الأرشيف|بحث|عمّ تبحث؟|لم يُعثر على شيء.|يحتاج البحث إلى جافاسكربت، وهي معطّلة هنا.
      |الصفحة غير موجودة|لا توجد صفحة في هذا العنوان، وربما نُقلت.|إلى الصفحة الرئيسية|آخر تحديث|بقلم|خلاصة|مثبّتة
      |لم يُنشر شيء بعد.|نُقلت هذه الصفحة إلى {url}.`),
  ],
])

/** The language itself, then the part before its first hyphen. */
const spellingsOf = (language: string): readonly string[] => {
  const whole = language.toLowerCase()
  return [whole, whole.split('-')[0] ?? whole]
}

/** The words of a site: the theme's for its language, then Galley's, then the English words of both. */
export function wordsFor(language: string, { words: own }: { readonly words: OwnWords }): Words {
  const wanted = spellingsOf(language)
  const ownIn = (names: readonly string[]) => names.map((name) => own[name]).find((words) => words !== undefined)
  const ours = wanted.map((name) => wordsByLanguage.get(name)).find((words) => words !== undefined)
  return { ...english, ...ownIn(['en']), ...ours, ...ownIn(wanted) }
}

/** Month names as used in dates, then the date format. A table, because the data of `Intl` differs between runtimes. */
const datesByLanguage = new Map<string, readonly [months: readonly string[], form: string]>([
  [
    'en',
    [
      'January February March April May June July August September October November December'.split(' '),
      '{month} {day}, {year}',
    ],
  ],
  [
    'ru',
    [
      'января февраля марта апреля мая июня июля августа сентября октября ноября декабря'.split(' '),
      '{day} {month} {year} г.',
    ],
  ],
  [
    'de',
    [
      'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' '),
      '{day}. {month} {year}',
    ],
  ],
  [
    'fr',
    [
      'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(' '),
      '{day} {month} {year}',
    ],
  ],
  [
    'es',
    [
      'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' '),
      '{day} de {month} de {year}',
    ],
  ],
  [
    'ar',
    ['يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر'.split(' '), '{day} {month} {year}'],
  ],
])

/** A day such as `2026-05-01` in the usual format of the language, or as it is for unknown languages. */
export function dateText(day: string, language: string): string {
  const known = spellingsOf(language)
    .map((name) => datesByLanguage.get(name))
    .find((form) => form !== undefined)
  const [, year, month, dayNumber] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? []
  if (known === undefined || year === undefined) return day
  const [months, form] = known
  const values: Readonly<Record<string, string>> = {
    year: String(Number(year)),
    month: months[Number(month) - 1] ?? '',
    day: String(Number(dayNumber)),
  }
  return form.replace(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all)
}
