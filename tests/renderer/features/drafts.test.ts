import type { ReactElement, ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import { createStore } from 'zustand'

import { pageDefaults, publishingDefaults } from '../../../packages/library/records/site-model-fields.ts'
import { fail, ok } from '../../../packages/wire/result.ts'
import { createDesign, provideDesign, provideDesignDrafts } from '../../../src/renderer/features/design/store.ts'
import type { DesignDraft } from '../../../src/renderer/features/design/store.ts'
import { useForm } from '../../../src/renderer/features/design/use-form.ts'
import { PageDetail } from '../../../src/renderer/features/pages/page-detail.tsx'
import type { PageDraft } from '../../../src/renderer/features/pages/page-draft.ts'
import { provideChosenPage, providePageDrafts, provideSitePages } from '../../../src/renderer/features/pages/store.ts'
import type { ChosenPageState, ShownPage, SitePagesState } from '../../../src/renderer/features/pages/store.ts'
import { provideRefusalDrafts, RefusedMaterials } from '../../../src/renderer/features/rules/materials.tsx'
import type { RefusalDraft } from '../../../src/renderer/features/rules/materials.tsx'
import { Pause, providePauseReasons } from '../../../src/renderer/features/rules/pauses.tsx'
import { provideRulesDrafts, RulesForm } from '../../../src/renderer/features/rules/rules-form.tsx'
import type { RulesDraft } from '../../../src/renderer/features/rules/rules-form.tsx'
import { createRules } from '../../../src/renderer/features/rules/store.ts'
import { createVersions, provideVersions } from '../../../src/renderer/features/versions/store.ts'
import type { VersionHandlers } from '../../../src/renderer/features/versions/version-handlers.ts'
import { VersionNotes } from '../../../src/renderer/features/versions/version-notes.tsx'
import { createDrafts } from '../../../src/renderer/stores/drafts.ts'
import { called, live, submit } from '../support/called.ts'
import { createFakeBridge } from '../support/fake-bridge.ts'
import { aVersion } from '../support/sample-data.ts'
import { settled } from '../support/settled.ts'

const expiredToken = { action: 'accept', key: 'exp' } as const
const siteRules = { pause: null, unknownMaterials: 'accept', materials: [], editors: [], expiredToken } as const
const unknownSite = fail({ code: 'unknown_site' } as const)

describe('what is typed while a form is being saved stays', () => {
  it('in the form for a design, whose other parts stay as well', async () => {
    const fake = createFakeBridge(0)
    const drafts = createDrafts<DesignDraft>()
    const design = createDesign(fake.bridge)
    design.setState({ site: 'harbour' })
    const { put } = drafts.getState()
    const sent = { headSnippet: 'one' }
    let meanwhile: DesignDraft = { code: { headSnippet: 'one, two' }, site: { footer: 'f' } }
    fake.answers.saveSitePublishing = () => {
      put('harbour', meanwhile)
      return ok(publishingDefaults)
    }
    const save = () =>
      called(() => useForm('code'), [provideDesign(live(design)), provideDesignDrafts(live(drafts))]).submit(sent)
    put('harbour', { code: sent })
    await save()
    expect(drafts.getState().drafts).toEqual({ harbour: meanwhile })
    put('harbour', { code: sent })
    meanwhile = { code: sent, site: { footer: 'typed in another form' } }
    await save()
    expect(drafts.getState().drafts).toEqual({ harbour: { site: meanwhile.site } })
  })

  it('in the form for a page, without the fields that were saved', async () => {
    const drafts = createDrafts<Partial<PageDraft>>()
    const about = 'harbour one'
    const page = {
      materialId: 'one',
      title: 'One',
      slug: 'one',
      archivedAt: null,
      address: 'one',
      outgoingVersionId: 'v1',
      outgoingNumber: 1,
      outgoingVerdict: null,
      currentVersionId: 'v1',
      currentNumber: 1,
      currentVerdict: null,
      online: [],
      updated: '2026-11-20T10:00:00.000Z',
      settings: pageDefaults,
    }
    const shown: ShownPage = { page, publishing: publishingDefaults, versions: [], fallbacks: null }
    const change = async () => {
      drafts.getState().put(about, { author: 'Ida, Jo', description: 'd', canonical: 'https://a.example/' })
      return ok(null)
    }
    const pages = createStore(() => ({ site: 'harbour', change }) as unknown as SitePagesState)
    const chosen = createStore(() => ({ view: { kind: 'ready', items: shown } }) as unknown as ChosenPageState)
    drafts.getState().put(about, { author: 'Ida', canonical: 'https://a.example/' })
    const form = called(() => {
      const detail = PageDetail({ onShowMaterial: () => undefined }) as ReactElement<{ children: ReactElement[] }>
      const { type, props } = detail.props.children[1] as ReactElement<object>
      return (type as (shown: object) => ReactNode)(props)
    }, [provideSitePages(pages), provideChosenPage(chosen), providePageDrafts(live(drafts))])
    submit(form)
    await settled()
    expect(drafts.getState().drafts).toEqual({ [about]: { author: 'Ida, Jo', description: 'd' } })
  })

  it('in the form for rules', async () => {
    const drafts = createDrafts<RulesDraft>()
    const draft = { unknownMaterials: 'refuse', expiredToken, lines: [] } as const
    const edited = { ...draft, lines: [{ key: 0, pattern: '*@a.example', reason: '' }] }
    let meanwhile: RulesDraft = edited
    const save = async () => {
      drafts.getState().put('harbour', meanwhile)
      return null
    }
    const saved = async () => {
      drafts.getState().put('harbour', draft)
      submit(
        called(
          () => RulesForm({ title: '', site: 'harbour', rules: siteRules, save }),
          [provideRulesDrafts(live(drafts))],
        ),
      )
      await settled()
      return drafts.getState().drafts
    }
    expect(await saved()).toEqual({ harbour: edited })
    meanwhile = draft
    expect(await saved()).toEqual({})
  })

  it('in the note of a version', async () => {
    const { versions } = createVersions(createFakeBridge(0).bridge)
    const version = aVersion(0, 'a', 1, 1)
    const { keepDraft } = versions.getState()
    const sent = { note: 'one', tagText: '' }
    let meanwhile = { note: 'one, two', tagText: '' }
    const mark = async () => {
      keepDraft(version.versionId, meanwhile)
      return true
    }
    const handlers = { mark } as unknown as VersionHandlers
    const saved = async () => {
      keepDraft(version.versionId, sent)
      submit(called(() => VersionNotes({ version, handlers }), [provideVersions(live(versions))]))
      await settled()
      return versions.getState().drafts.get(version.versionId)
    }
    expect(await saved()).toEqual(meanwhile)
    meanwhile = sent
    expect(await saved()).toBeUndefined()
  })
})

describe('a reason that was not saved stays typed', () => {
  it('of pausing saves', async () => {
    const fake = createFakeBridge(0)
    const rules = createRules(fake.bridge)
    const drafts = createDrafts<string>()
    const pauseFrom = async () => {
      drafts.getState().put('', 'Moving')
      const onPause = (reason: string) => rules.getState().pause('everywhere', reason)
      const props = { scope: '', pause: null, about: '', onPause, onResume: () => undefined }
      submit(called(() => Pause(props), [providePauseReasons(live(drafts))]))
      await settled()
      return drafts.getState().drafts
    }
    fake.answers.pauseSaves = () => unknownSite
    expect(await pauseFrom()).toEqual({ '': 'Moving' })
    expect(rules.getState().problem).toEqual({ code: 'unknown_site' })
    fake.answers.pauseSaves = ({ reason }) => ok({ reason, since: '' })
    expect(await pauseFrom()).toEqual({})
  })

  it('of blocking a material', async () => {
    const fake = createFakeBridge(0)
    const rules = createRules(fake.bridge)
    rules.setState({ site: 'harbour' })
    const drafts = createDrafts<RefusalDraft>()
    const typed = { materialId: 'post-1', reason: 'Moved' }
    const refuseOne = async () => {
      drafts.getState().put('harbour', typed)
      const props = { site: 'harbour', materials: [], refuse: rules.getState().refuse }
      submit(called(() => RefusedMaterials(props), [provideRefusalDrafts(live(drafts))]))
      await settled()
      return drafts.getState().drafts
    }
    fake.answers.setFields = () => unknownSite
    expect(await refuseOne()).toEqual({ harbour: typed })
    fake.answers.setFields = () => ok(null)
    expect(await refuseOne()).toEqual({})
  })
})
