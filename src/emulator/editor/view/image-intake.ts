const accepted: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/svg+xml',
])

/** For the `accept` of a file field. */
export const acceptedImages = [...accepted].join(',')

interface ImageIntake {
  readonly onImage: (file: File) => void
  /** Is told, in a sentence, of files that were passed over. */
  readonly onRefused: (sentence: string) => void
}

/** Hands on the pictures among some files, one by one. */
export function takeImages(files: Iterable<File>, { onImage, onRefused }: ImageIntake): void {
  const refused: string[] = []
  for (const file of files) {
    if (accepted.has(file.type)) onImage(file)
    else refused.push(file.name)
  }
  if (refused.length > 0) onRefused(`Only pictures can be added, so this was left out: ${refused.join(', ')}.`)
}

/** Takes pictures that are dropped or pasted anywhere on the page; pasted text goes its usual way. */
export function listenForImages(intake: ImageIntake): void {
  const holdsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false
  document.addEventListener('dragover', (event) => {
    if (!holdsFiles(event)) return
    event.preventDefault()
    document.body.classList.add('dropping')
  })
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) document.body.classList.remove('dropping')
  })
  document.addEventListener('drop', (event) => {
    document.body.classList.remove('dropping')
    if (!holdsFiles(event)) return
    // Otherwise the browser would leave the page to show the file.
    event.preventDefault()
    takeImages(event.dataTransfer?.files ?? [], intake)
  })
  document.addEventListener('paste', (event) => {
    const files = event.clipboardData?.files ?? []
    if (files.length === 0) return
    event.preventDefault()
    takeImages(files, intake)
  })
}
