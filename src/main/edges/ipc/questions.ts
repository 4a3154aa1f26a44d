import type { TFunction } from 'i18next'

import type { Retention } from '../../../contract/ipc/health.ts'
import type { TeamPlaceForm } from '../../../contract/ipc/team.ts'
import type { Site } from '../../../contract/domain/site.ts'
import type { Target } from '../../../contract/domain/target.ts'
import { targetAddress } from '../../../contract/domain/target.ts'
import type { Confirmations } from '../../use-cases/sites/confirmations.ts'
import { confirmedFields, confirmedText } from '../../use-cases/sites/confirmations.ts'
import type { Desktop, DialogText } from './desktop.ts'

/** Materials that a person is about to delete; `title` is that of the first one. */
export interface MaterialDeletion {
  readonly title: string
  readonly materials: number
  readonly versions: number
}

type Words = TFunction<'system'>

/**
 * A value for a dialog: replaces invisible characters and those that change the text direction, and shortens long
 * values.
 */
function shown(value: string): string {
  const plain = value.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\uFFFD')
  return plain.length <= 300 ? plain : `${plain.slice(0, 200)}…${plain.slice(-90)}`
}

/** The settings that decide where a site sends data: all of them if `before` is null, otherwise those that differ. */
function values(t: Words, before: Site | null, after: Site): string {
  const text = (value: string | null): string => (value === null ? t('confirming.none') : shown(value))
  return confirmedFields
    .flatMap((field) => {
      const label = t(`confirming.fields.${field}`)
      const now = confirmedText(after, field)
      if (before === null) return [t('confirming.value', { label, value: text(now) })]
      const was = confirmedText(before, field)
      return was === now ? [] : [t('confirming.change', { label, before: text(was), after: text(now) })]
    })
    .join('\n\n')
}

/** A question with Cancel as its second button. */
const dialogText = (t: Words, way: string, message: string, parts: readonly string[]): DialogText => ({
  message,
  detail: parts.join('\n\n'),
  ways: [way, t('confirming.cancel')],
})

/** Asks whether an unconfirmed site may be used as it is. */
export const aboutSite = (t: Words, site: Site): DialogText =>
  dialogText(t, t('confirming.site.way'), t('confirming.site.title', { site: shown(site.name) }), [
    values(t, null, site),
    t('confirming.site.text'),
  ])

/** Asks whether a site may send its data elsewhere. Shows both values of each setting that changes. */
export const aboutChange = (t: Words, before: Site, after: Site): DialogText =>
  dialogText(t, t('confirming.edit.way'), t('confirming.edit.title', { site: shown(before.name) }), [
    values(t, before, after),
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

/** Asks whether the pages of a site may be published outside this computer. */
const aboutTarget = (t: Words, site: Site, { name, place, publicUrl }: Target): DialogText =>
  dialogText(t, t('confirming.target.way'), t('confirming.target.title', { site: shown(site.name), target: name }), [
    t('confirming.value', { label: t('confirming.target.place'), value: shown(targetAddress(place)) }),
    t('confirming.value', {
      label: t('confirming.target.publicUrl'),
      value: publicUrl === null ? t('confirming.none') : shown(publicUrl),
    }),
    t('confirming.target.text'),
  ])

/** Asks whether a library may be read from, or sent to, a bucket. */
const aboutTeam = (t: Words, what: 'join' | 'import', place: TeamPlaceForm): DialogText =>
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

/** Asks before a library goes on without its team. */
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
      agreed((t) =>
        before !== null && confirmations.isConfirmed(before) ? aboutChange(t, before, after) : aboutSite(t, after),
      ),
    mayPublishTo: (site: Site, target: Target): Promise<boolean> => agreed((t) => aboutTarget(t, site, target)),
    mayUseTeam: (what: 'join' | 'import', place: TeamPlaceForm): Promise<boolean> =>
      agreed((t) => aboutTeam(t, what, place)),
    mayLeaveTeam: (fetchAll: boolean): Promise<boolean> => agreed((t) => aboutLeaving(t, fetchAll)),
    mayPrune: (retention: Retention): Promise<boolean> => agreed((t) => aboutPruning(t, retention)),
    mayDeleteMaterials: (materials: MaterialDeletion): Promise<boolean> => agreed((t) => aboutMaterials(t, materials)),
    mayListenAt: (before: string, after: string): Promise<boolean> => agreed((t) => aboutHost(t, before, after)),
    mayOpenEditorAt: (site: Site, origin: string): Promise<boolean> => agreed((t) => aboutEditor(t, site, origin)),
  }
}

export type Questions = ReturnType<typeof createQuestions>
