import type { Confirmations, LastConfirmed } from '@galley/library'
import { confirmedFields, confirmedTexts } from '@galley/library'
import type { Retention, Site, Target } from '@galley/library/records'
import { targetAddress } from '@galley/library/records'
import { keysIn } from '@galley/wire'
import type { TFunction } from 'i18next'

import type { TeamLocationForm } from '../../ipc/team.ts'
import type { Desktop, DialogText } from './desktop.ts'

/** Materials that a person is about to delete; `title` is that of the first one. */
export interface MaterialDeletion {
  readonly title: string
  readonly materials: number
  readonly versions: number
}

/** Code that a site is to add to its pages, with what it adds there today. */
export type NewCode = Partial<
  Record<'headSnippet' | 'bodySnippet', { readonly was: string | null; readonly now: string }>
>

type Words = TFunction<'system'>

/** Replaces invisible characters and those that change the text direction. */
const plain = (value: string): string => value.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\uFFFD')

/** Shortens a long value. */
const short = (text: string): string => (text.length <= 300 ? text : `${text.slice(0, 200)}…${text.slice(-90)}`)

/** A value for a dialog. */
const shown = (value: string): string => short(plain(value))

/** Two values for a dialog. Long ones lose the middle of what they begin with in common, so that their difference is seen. */
function bothShown(one: string, other: string): readonly [string, string] {
  const texts = [plain(one), plain(other)] as const
  const [was, now] = texts
  let same = 0
  while (same < Math.min(was.length, now.length) && was[same] === now[same]) same += 1
  const cut = (text: string): string =>
    Math.max(was.length, now.length) > 300 && same > 150
      ? `${text.slice(0, 90)}…${short(text.slice(same - 50))}`
      : short(text)
  return [cut(was), cut(now)]
}

/** One setting with its value, or with both values if it had another one. `was` undefined: nothing is known of another. */
function setting(t: Words, label: string, was: string | null | undefined, now: string | null): string {
  const text = (value: string | null): string => value ?? t('confirming.none')
  if (was === undefined || was === now) return t('confirming.value', { label, value: shown(text(now)) })
  const [before, after] = bothShown(text(was), text(now))
  return t('confirming.change', { label, before, after })
}

/** The settings that decide where a site sends data: all of them, or only those that differ. */
function values(t: Words, before: LastConfirmed, after: Site, which: 'all' | 'changed'): string {
  const texts = confirmedTexts(after)
  const worded = (field: string, text: string | null | undefined): string | null | undefined =>
    field === 'environment' && (text === 'dev' || text === 'prod') ? t(`confirming.environments.${text}`) : text
  return confirmedFields
    .filter((field) => which === 'all' || before?.[field] !== texts[field])
    .map((field) =>
      setting(t, t(`confirming.fields.${field}`), worded(field, before?.[field]), worded(field, texts[field]) ?? null),
    )
    .join('\n\n')
}

/** A question with Cancel as its second button. */
const dialogText = (t: Words, way: string, message: string, parts: readonly string[]): DialogText => ({
  message,
  detail: parts.join('\n\n'),
  buttons: [way, t('confirming.cancel')],
})

/** Asks whether an unconfirmed site may be used as it is. `before`: what is known of its earlier values. */
export const aboutSite = (t: Words, before: LastConfirmed, site: Site): DialogText =>
  dialogText(t, t('confirming.site.way'), t('confirming.site.title', { site: shown(site.name) }), [
    values(t, before, site, 'all'),
    t('confirming.site.text'),
  ])

/** Asks whether a site may send its data elsewhere. Shows both values of each setting that changes. */
export const aboutChange = (t: Words, before: Site, after: Site): DialogText =>
  dialogText(t, t('confirming.edit.way'), t('confirming.edit.title', { site: shown(before.name) }), [
    values(t, confirmedTexts(before), after, 'changed'),
    t('confirming.edit.text'),
    ...(before.baseUrl === after.baseUrl ? [] : [t('confirming.edit.secret')]),
  ])

/** Asks whether the listener may listen on another address. */
export const aboutHost = (t: Words, before: string, after: string): DialogText =>
  dialogText(t, t('confirming.host.way'), t('confirming.host.title', { host: after }), [
    t('confirming.change', { label: t('confirming.host.label'), before, after }),
    t('confirming.host.text'),
  ])

/** Asks whether the editor of a site may open at an origin other than that of its service. */
export const aboutEditor = (t: Words, site: Site, origin: string): DialogText =>
  dialogText(t, t('confirming.editor.way'), t('confirming.editor.title', { origin }), [
    t('confirming.editor.text', { site: shown(site.name), service: new URL(site.baseUrl).origin, origin }),
  ])

/** The previous location of a target; null if it is new. */
export interface EarlierTarget {
  readonly address: string
  readonly publicUrl: string | null
}

/** Asks whether the pages of a site may be published outside this computer. */
const aboutTarget = (
  t: Words,
  site: Site,
  before: EarlierTarget | null,
  { name, place, publicUrl }: Target,
): DialogText =>
  dialogText(t, t('confirming.target.way'), t('confirming.target.title', { site: shown(site.name), target: name }), [
    setting(t, t('confirming.target.place'), before?.address, targetAddress(place)),
    setting(t, t('confirming.target.publicUrl'), before?.publicUrl, publicUrl),
    t('confirming.target.text'),
  ])

/** Asks whether this computer may tell what happens to a site to a URL, and at a private address if its host name leads to one. */
const aboutWebhook = (t: Words, site: Site, before: string | null, url: string, address: string | null): DialogText =>
  dialogText(t, t('confirming.webhook.way'), t('confirming.webhook.title', { site: shown(site.name) }), [
    setting(t, 'URL', before ?? undefined, url),
    ...(address === null ? [] : [setting(t, t('confirming.webhook.address'), undefined, address)]),
    t('confirming.webhook.text'),
  ])

/** Asks before the conformance kit sends test callbacks. */
const aboutKit = (t: Words, url: string): DialogText =>
  dialogText(t, t('confirming.kit.way'), t('confirming.kit.title'), [
    setting(t, t('confirming.fields.callbackUrl'), undefined, url),
    t('confirming.kit.text'),
  ])

/** Asks whether a library may be read from, or sent to, a bucket. */
const aboutTeam = (t: Words, what: 'join' | 'import', place: TeamLocationForm): DialogText =>
  dialogText(t, t(`confirming.team.${what}.way`), t(`confirming.team.${what}.title`), [
    t('confirming.value', {
      label: t('confirming.team.place'),
      value: shown(`s3://${place.bucket}/${place.prefix}`),
    }),
    t('confirming.value', {
      label: t('confirming.team.endpoint'),
      value: place.endpoint === null ? 'Amazon S3' : shown(place.endpoint),
    }),
    t(`confirming.team.${what}.text`),
  ])

/** Asks before code is put into every page of a site. Its scripts run in the browsers of all readers. */
const aboutCode = (t: Words, { name }: Site, code: NewCode): DialogText =>
  dialogText(t, t('confirming.code.way'), t('confirming.code.title', { site: shown(name) }), [
    ...keysIn(code).map((place) => setting(t, t(`confirming.code.${place}`), code[place]?.was, code[place]?.now ?? '')),
    t('confirming.code.text'),
  ])

/** Asks before a library leaves its team. */
const aboutLeaving = (t: Words, fetchAll: boolean): DialogText =>
  dialogText(t, t('leavingTeam.way'), t('leavingTeam.title'), [
    t(fetchAll ? 'leavingTeam.withFiles' : 'leavingTeam.withoutFiles'),
    t('leavingTeam.text'),
  ])

/** Asks before old versions are deleted, and names the rule, since a window could have shown another one. */
function aboutPruning(t: Words, { keepVersions, keepDays }: Retention): DialogText {
  const rules = [
    ...(keepVersions === null ? [] : [t('deleting.versions.newest', { count: keepVersions })]),
    ...(keepDays === null ? [] : [t('deleting.versions.younger', { count: keepDays })]),
  ]
  return dialogText(t, t('deleting.way'), t('deleting.versions.title'), [
    [t('deleting.versions.kept'), ...rules].join('\n'),
    t('deleting.text'),
  ])
}

/** Asks before materials are deleted with all their versions. */
const aboutMaterials = (t: Words, { title, materials, versions }: MaterialDeletion): DialogText =>
  dialogText(
    t,
    t('deleting.way'),
    materials === 1
      ? t('deleting.materials.one', { title: shown(title) })
      : t('deleting.materials.title', { count: materials }),
    [t('deleting.materials.versions', { count: versions }), t('deleting.materials.text'), t('deleting.text')],
  )

/** Asks before a site is removed, since its secret cannot be read back from anywhere. */
const aboutRemoval = (t: Words, { name, baseUrl }: Site): DialogText =>
  dialogText(t, t('deleting.site.way'), t('deleting.site.title', { site: shown(name) }), [
    setting(t, t('confirming.fields.baseUrl'), undefined, baseUrl),
    t('deleting.site.text'),
  ])

/**
 * Asks for decisions that only a person may make, in system dialogs, which a window can neither see nor answer. A
 * question that arrives while another one is open is answered with no.
 */
export function createQuestions(ask: Desktop['ask'], words: () => Words, confirmations: Confirmations) {
  let isAsking = false
  async function agreed(question: (t: Words) => DialogText): Promise<boolean> {
    if (isAsking) return false
    isAsking = true
    try {
      return await ask(question(words()))
    } finally {
      isAsking = false
    }
  }
  return {
    maySaveSite: (before: Site | null, after: Site): Promise<boolean> =>
      agreed((t) => {
        if (before !== null && confirmations.isConfirmed(before)) return aboutChange(t, before, after)
        return aboutSite(t, confirmations.lastConfirmed(after) ?? (before && confirmedTexts(before)), after)
      }),
    mayPublishTo: (site: Site, before: EarlierTarget | null, target: Target): Promise<boolean> =>
      agreed((t) => aboutTarget(t, site, before, target)),
    mayTell: (site: Site, before: string | null, url: string, address: string | null): Promise<boolean> =>
      agreed((t) => aboutWebhook(t, site, before, url, address)),
    mayRunKit: (url: string): Promise<boolean> => agreed((t) => aboutKit(t, url)),
    mayUseTeam: (what: 'join' | 'import', place: TeamLocationForm): Promise<boolean> =>
      agreed((t) => aboutTeam(t, what, place)),
    mayAddCode: (site: Site, code: NewCode): Promise<boolean> => agreed((t) => aboutCode(t, site, code)),
    mayLeaveTeam: (fetchAll: boolean): Promise<boolean> => agreed((t) => aboutLeaving(t, fetchAll)),
    mayPrune: (retention: Retention): Promise<boolean> => agreed((t) => aboutPruning(t, retention)),
    mayDeleteMaterials: (materials: MaterialDeletion): Promise<boolean> => agreed((t) => aboutMaterials(t, materials)),
    mayRemoveSite: (site: Site): Promise<boolean> => agreed((t) => aboutRemoval(t, site)),
    mayListenAt: (before: string, after: string): Promise<boolean> => agreed((t) => aboutHost(t, before, after)),
    mayOpenEditorAt: (site: Site, origin: string): Promise<boolean> => agreed((t) => aboutEditor(t, site, origin)),
  }
}

export type Questions = ReturnType<typeof createQuestions>
