import { isInLibrary, isOpenableEditorUrl } from '@galley/library'
import { isLoopback, targetAddress, targetNameForm, targetSettings } from '@galley/library/records'
import type { Answer, CallProblem, Target } from '@galley/library/records'
import { isThere } from '@galley/platform'
import type { MaterialId, SiteId } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { Handlers } from '../../../ipc/calls.ts'
import type { publishingCalls, TargetForm } from '../../../ipc/publishing.ts'
import type { ChosenPaths } from '../chosen-paths.ts'
import type { Desktop } from '../desktop.ts'
import type { Questions } from '../questions.ts'
import { notConfirmed, pathNotChosen } from './not-chosen.ts'
import type { PublishPorts } from './publish-tasks.ts'
import { contentsOf, rowsOf } from './release-rows.ts'
import { unknownSite, unknownTarget } from './unknown.ts'

interface Edges {
  readonly desktop: Desktop
  readonly chosen: ChosenPaths
  readonly questions: Questions
  readonly changed: () => void
}

type TargetHandlers = Pick<
  Handlers,
  Exclude<
    keyof typeof publishingCalls,
    'startPublishPlan' | 'startPublish' | 'startPublishPage' | 'startPreview' | 'stopPreview' | 'previewState'
  >
>

/** The history that a window shows. */
const releasesShown = 50

/** Calls about where sites are published. `saveTarget` receives credentials; no call returns them. */
export function targetHandlers(ports: PublishPorts, edges: Edges): TargetHandlers {
  const { index, releasing } = ports
  const { desktop, chosen, changed } = edges
  const { targets } = index

  /** One more than is shown, because each release is compared with the one before it. */
  const historyOf = async (target: Target, shown: number) => rowsOf(await releasing.history(target, shown + 1), shown)

  return {
    async listTargets({ site: id }) {
      const site = index.sites.find(id)
      if (!site) return unknownSite(id)
      const found = await releasing.targets.list(site.id)
      const states = await releasing.targetStates(site, found)
      return ok(
        await Promise.all(
          found.map(async (target) => {
            const failure = releasing.lastFailure(target)
            return {
              ...target,
              current: (await historyOf(target, 1))[0] ?? null,
              state: states.get(target.name) ?? 'never',
              lastFailure: failure && { at: failure.at, problem: failure.failure },
            }
          }),
        ),
      )
    },
    async chooseTargetFolder({ site }) {
      const path = await desktop.chooseFolder('targetFolder')
      return path === null ? null : chosen.keep({ what: 'target-folder', site }, path)
    },
    async chooseTargetKey({ site }) {
      const path = await desktop.chooseFile('targetKey', { extensions: [] })
      return path === null ? null : chosen.keep({ what: 'target-key', site }, path)
    },
    async saveTarget(form) {
      const saved = await saveTarget(form, ports, edges)
      changed()
      return saved
    },
    async removeTarget({ site, target: name }) {
      const target = targets.find(site, name)
      if (!target) return unknownTarget
      const removed = await releasing.targets.remove(target)
      changed()
      return removed
    },
    async checkTarget({ site, target: name }) {
      const target = targets.find(site, name)
      if (!target) return unknownTarget
      if (!releasing.targets.isConfirmed(target)) return fail({ code: 'target_unconfirmed' })
      return ok(await releasing.check(target))
    },
    async targetHistory({ site, target: name }) {
      const target = targets.find(site, name)
      return target ? ok(await historyOf(target, releasesShown)) : unknownTarget
    },
    async readRelease({ site, target: name, release }) {
      const target = targets.find(site, name)
      if (!target) return unknownTarget
      const history = await releasing.history(target, releasesShown + 1)
      const titleOf = (id: MaterialId): string => index.materials.find(site, id)?.title ?? ''
      const contents = contentsOf(history, release, titleOf, index.releases.linksOf(site, name, release))
      return contents === null ? fail({ code: 'unknown_release', release }) : ok(contents)
    },
    async openTarget({ site, target: name }) {
      const target = targets.find(site, name)
      if (!target) return unknownTarget
      const { publicUrl, place } = target
      if (publicUrl !== null) {
        if (!isOpenableEditorUrl(publicUrl)) return fail({ code: 'not_openable' })
        await desktop.openInBrowser(publicUrl)
        return ok(null)
      }
      // The folder of a library from another computer was not chosen by a person here.
      if (place.kind !== 'folder' || !releasing.targets.isConfirmed(target)) return pathNotChosen
      if (!(await isThere(place.directory)))
        return fail({ code: 'target_gone', path: place.directory, state: 'published' })
      desktop.showInFolder(place.directory)
      return ok(null)
    },
  }
}

async function saveTarget(
  form: TargetForm,
  { index, releasing: { targets } }: PublishPorts,
  { chosen, questions }: Edges,
): Promise<Answer<null>> {
  const site = index.sites.find(form.site)
  if (!site) return unknownSite(form.site)
  const before = index.targets.find(site.id, form.name)
  if (form.isNew && before) return fail({ code: 'invalid_target', field: 'name', state: 'taken' })
  if (!form.isNew && !before) return unknownTarget
  const target = readForm(form, site.id, before && targets.isConfirmed(before) ? before : null, chosen)
  if (!target.ok) return target
  const misplaced = await problemOfLocation(target.value, index, targets)
  if (misplaced !== null) return fail(misplaced)
  const key = keyOf(form, chosen)
  if (!key.ok) return key
  const isElsewhere = before === null || targetAddress(before.place) !== targetAddress(target.value.place)
  const { place, publicUrl } = target.value
  const isNewAddress = isElsewhere || !targets.isConfirmed(before)
  const isNewUrl = publicUrl !== null && publicUrl !== before?.publicUrl && !isLoopback(new URL(publicUrl).hostname)
  const isAsked = (place.kind !== 'folder' && isNewAddress) || isNewUrl
  const earlier = before && {
    address: targets.confirmedAddress(before) ?? targetAddress(before.place),
    publicUrl: before.publicUrl,
  }
  if (isAsked && !(await questions.mayPublishTo(site, earlier, target.value))) return notConfirmed
  const saved = await targets.save(target.value, key.value, form.isLive)
  return saved.ok ? ok(null) : saved
}

/** The form field for the location of a target. */
const placeField = { folder: 'folder', s3: 'bucket', sftp: 'path' } as const

/** Why nothing may be published to a location. */
async function problemOfLocation(
  target: Target,
  { sites }: PublishPorts['index'],
  targets: PublishPorts['releasing']['targets'],
): Promise<(CallProblem & { readonly name?: string; readonly site?: string }) | null> {
  const { place } = target
  if (place.kind === 'folder' && (await isInLibrary(place.directory)))
    return { code: 'invalid_target', field: 'folder', state: 'in_library' }
  const holder = await targets.holderOf(target)
  if (holder === null) return null
  const site = sites.find(holder.site)?.name ?? holder.site
  return { code: 'invalid_target', field: placeField[place.kind], state: 'shared', name: holder.name, site }
}

/** The target that a form describes; `before` has the folder that a form without a new one means. */
function readForm(form: TargetForm, site: SiteId, before: Target | null, chosen: ChosenPaths): Answer<Target> {
  const { name, publicUrl, compress, schedule, place } = form
  if (!targetNameForm.test(name)) return fail({ code: 'invalid_target', field: 'name', state: 'name' })
  const folder =
    place.kind !== 'folder'
      ? null
      : place.chosen !== null
        ? chosen.find({ what: 'target-folder', site: form.site }, place.chosen)
        : before?.place.kind === 'folder'
          ? before.place.directory
          : null
  if (place.kind === 'folder' && folder === null)
    return fail({ code: 'invalid_target', field: 'folder', state: 'folder' })
  const read = targetSettings.safeParse({
    place: place.kind === 'folder' ? { kind: 'folder', directory: folder } : place,
    publicUrl,
    compress: compress && place.kind === 's3',
    schedule,
  })
  if (read.success) return ok({ site, name, ...read.data })
  const field = String(read.error.issues[0]?.path.at(-1) ?? 'place')
  return fail({ code: 'invalid_target', field, state: field })
}

/**
 * Credentials in stored form: `id:secret`, a password, or `file:PATH` of a private key with its passphrase in the next
 * line.
 */
function keyOf({ site, place, credentials }: TargetForm, chosen: ChosenPaths): Answer<string | null> {
  if (credentials === null) return ok(null)
  const wrong = (field: string) => fail({ code: 'invalid_target', field, state: field } as const)
  switch (credentials.kind) {
    case 'keys': {
      const [id, secret] = [credentials.id.trim(), credentials.secret.trim()]
      if (place.kind !== 's3' || !/^[^\s:]+$/.test(id)) return wrong('keyId')
      return /^\S+$/.test(secret) ? ok(`${id}:${secret}`) : wrong('keySecret')
    }
    case 'password':
      // A line break would end it, and `file:` names a key.
      return place.kind !== 'sftp' || /[\r\n]|^file:/.test(credentials.password)
        ? wrong('password')
        : ok(credentials.password)
    case 'keyFile': {
      const path = chosen.find({ what: 'target-key', site }, credentials.chosen)
      if (place.kind !== 'sftp' || path === null || /[\r\n]/.test(path)) return wrong('keyFile')
      const { passphrase } = credentials
      if (passphrase !== null && /[\r\n]/.test(passphrase)) return wrong('passphrase')
      return ok([`file:${path}`, ...(passphrase === null ? [] : [passphrase])].join('\n'))
    }
  }
}
