import { randomUUID } from 'node:crypto'
import type { AppSettingsStore, IndexReads, IndexWith } from '@galley/library'
import { personHere } from '@galley/library'
import { appLink, editLinkOf, mailDraft } from '@galley/library/records'
import type { Change } from '@galley/library/records'
import type { MaterialId, SiteId } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { HandlersOf } from '../../../ipc/call.ts'
import type { commentCalls } from '../../../ipc/comments.ts'
import { findInVersion } from '../../review/find-anchors.ts'
import type { AnchorPorts } from '../../review/find-anchors.ts'
import type { Desktop } from '../desktop.ts'
import { unknownComment, unknownVersion } from './unknown.ts'

export interface CommentPorts extends AnchorPorts {
  readonly index: IndexWith<'comments' | 'commit'>
  readonly settings: Pick<AppSettingsStore, 'read'>
  readonly now: () => Date
}

/** Calls that write to the author of a version. */
function messageHandlers(
  { comments, versions, versionList, fields }: IndexReads,
  desktop: Pick<Desktop, 'copyText' | 'openMail'>,
): Pick<HandlersOf<typeof commentCalls>, 'messageFacts' | 'mailAuthor'> {
  const opens = (draft: string): Promise<boolean> =>
    desktop.openMail(draft).then(
      () => true,
      () => false,
    )
  return {
    messageFacts({ site, materialId, versionId }) {
      const version = versionList.find(site, materialId, versionId)
      if (version === null) return unknownVersion(versionId)
      const { number, versionCdate, receivedAt, verdict } = version
      const open = comments.of(site, materialId).filter((thread) => thread.resolved === null && thread.number <= number)
      return ok({
        version: { number, versionCdate, receivedAt, verdict },
        to: version.userEmail,
        quotes: open.map(({ anchor, comments: said }) => ({
          quote: anchor.kind === 'text' ? anchor.exact : anchor.label,
          texts: said.map(({ text }) => text),
        })),
        editLink: editLinkOf(fields.of('site', site, {})?.editLink ?? '', materialId),
        appLink: appLink({ site, materialId, versionId }),
      })
    },
    async mailAuthor({ site, materialId, to, subject, body }) {
      // Only to people who saved this page: a window has no power to write to others.
      const isAuthor = [...versions.each(site, materialId)].some(({ userEmail }) => userEmail === to)
      if (!isAuthor) return fail({ code: 'unknown_author' })
      const draft = mailDraft(to, subject, body)
      if (draft !== null && (await opens(draft))) return ok('mail')
      await desktop.copyText(`${subject}\n\n${body}`)
      return ok(draft === null ? 'too_long' : 'no_program')
    },
  }
}

/** Calls about comments on places of versions. */
export function commentHandlers(
  { index, reviewing, background, settings, now }: CommentPorts,
  desktop: Pick<Desktop, 'copyText' | 'openMail'>,
  changed: (change: Change) => void,
): HandlersOf<typeof commentCalls> {
  const { comments, commit } = index

  const who = () => ({ by: personHere(settings.read()), at: now().toISOString() })
  const told = (site: SiteId, materialId: MaterialId) => {
    changed({ subjects: ['marks'], materials: [{ site, materialId }] })
    return ok(null)
  }

  return {
    async listComments({ site, materialId, versionId }) {
      const threads = comments.of(site, materialId)
      const found = await findInVersion({ reviewing, background }, { site, materialId, versionId }, threads)
      if (!found.ok) return found
      const lost = { state: 'lost', places: [] } as const
      return ok(threads.map((thread, order) => ({ ...thread, found: found.value[order] ?? lost })))
    },
    async readTexts({ site, materialId, versionId }) {
      const page = await reviewing.version({ site, materialId, versionId })
      return page.ok ? background.run('readTexts', page.value) : page
    },
    async addComment({ site, materialId, versionId, selection, text }) {
      const page = await reviewing.version({ site, materialId, versionId })
      if (!page.ok) return page
      const anchor = await background.run('anchorSelection', { page: page.value, selection })
      if (!anchor.ok) return anchor
      const id = randomUUID()
      const comment = { id, site, materialId, versionId, anchor: anchor.value, text, ...who() }
      await commit.write(() => comments.add(comment))
      told(site, materialId)
      return ok({ id })
    },
    async answerComment({ thread, text }) {
      const known = comments.find(thread)
      if (known === null) return unknownComment
      const answer = { id: randomUUID(), thread: known.id, text, ...who() }
      await commit.write(() => comments.answer(answer))
      return told(known.site, known.materialId)
    },
    async settleComment({ thread, isResolved }) {
      const known = comments.find(thread)
      if (known === null) return unknownComment
      const settled = { thread: known.id, isResolved, ...who() }
      await commit.write(() => comments.settle(settled))
      return told(known.site, known.materialId)
    },
    answeredComments: () => comments.answered(personHere(settings.read()), null),
    ...messageHandlers(index, desktop),
  }
}
