import { hasForeignParts, readState } from './page/state.ts'
import type { SessionApi, SessionView } from './session/api.ts'
import { createSessionApi } from './session/api.ts'
import { createDocument } from './session/document.ts'
import { existing } from './view/element.ts'
import { acceptedImages, listenForImages, takeImages } from './view/image-intake.ts'
import { createPageView } from './view/page-view.ts'
import type { Status } from './view/status-line.ts'
import { showStatus, statusOf } from './view/status-line.ts'

const newId = (): string => crypto.randomUUID()
const say = (status: Status): void => showStatus(existing('status', HTMLParagraphElement), status)

/** What is said when the page opens: the fate of the last save, or what to do. */
function firstStatus({ lastSave }: SessionView, isForeign: boolean): Status {
  if (lastSave !== null && lastSave.result !== 'merged') return statusOf(lastSave)
  if (isForeign)
    return { tone: 'quiet', text: 'Some parts of this page come from another editor. They are kept, but not shown.' }
  return { tone: 'quiet', text: 'Drop or paste pictures anywhere. Ctrl+S saves.' }
}

/** Wires the page for a session that could be read. */
function edit(api: SessionApi, session: SessionView): void {
  const opened = readState(session.state, newId)
  const edited = createDocument(opened, api.fileAddress)
  const saveButton = existing('save', HTMLButtonElement)
  let isSaving = false

  const showDirt = (): void => {
    saveButton.classList.toggle('dirty', edited.isDirty())
    document.title = `${edited.isDirty() ? '• ' : ''}${session.materialId} – editor`
  }
  const view = createPageView(edited, newId, showDirt)

  async function save(): Promise<void> {
    if (isSaving) return
    isSaving = true
    saveButton.ariaDisabled = 'true'
    say({ tone: 'quiet', text: 'Saving…' })
    const prepared = await edited.prepareSave()
    const saved = prepared.ok ? await api.save(prepared.value.request) : prepared
    if (prepared.ok && saved.ok) {
      prepared.value.sent()
      const reread = await api.read()
      if (reread.ok) edited.takeAddresses(readState(reread.value.state, newId).assets)
    }
    say(saved.ok ? statusOf(saved.value) : { tone: 'bad', text: `Not saved. ${saved.failure}` })
    isSaving = false
    saveButton.ariaDisabled = null
    showDirt()
  }

  const intake = {
    onImage: (file: File) => view.add({ kind: 'image', id: newId(), file: edited.addFile(file), alt: '' }),
    onRefused: (text: string) => say({ tone: 'bad', text }),
  }
  listenForImages(intake)
  const picker = existing('image', HTMLInputElement)
  picker.accept = acceptedImages
  picker.addEventListener('change', () => {
    takeImages(picker.files ?? [], intake)
    picker.value = ''
  })
  existing('add-paragraph', HTMLButtonElement).onclick = () => view.add({ kind: 'paragraph', id: newId(), text: '' })
  existing('add-heading', HTMLButtonElement).onclick = () => view.add({ kind: 'heading', id: newId(), text: '' })
  existing('add-image', HTMLButtonElement).onclick = () => picker.click()

  saveButton.onclick = () => void save()
  document.addEventListener('keydown', (event) => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 's') {
      event.preventDefault()
      void save()
    }
  })
  window.addEventListener('beforeunload', (event) => {
    if (edited.isDirty()) event.preventDefault()
  })

  existing('material', HTMLSpanElement).textContent = session.materialId
  existing('page', HTMLElement).append(view.root)
  document.body.classList.add('ready')
  showDirt()
  say(firstStatus(session, hasForeignParts(opened)))
}

const api = createSessionApi(decodeURIComponent(location.pathname.split('/').at(-1) ?? ''))
const session = await api.read()
if (session.ok) edit(api, session.value)
else say({ tone: 'bad', text: session.failure })
