import { element } from './element.ts'

interface TextAreaOptions {
  readonly label: string
  readonly className: string
  readonly value: string
  readonly placeholder: string
  readonly onText: (text: string) => void
  readonly onKey?: (event: KeyboardEvent, area: HTMLTextAreaElement) => void
}

/** A text field that is as high as its text. */
export function textArea({
  label,
  className,
  value,
  placeholder,
  onText,
  onKey,
}: TextAreaOptions): HTMLTextAreaElement {
  const area = element('textarea', { className, value, placeholder, rows: 1, spellcheck: true, ariaLabel: label })
  const fit = (): void => {
    area.style.height = 'auto'
    area.style.height = `${area.scrollHeight}px`
  }
  area.addEventListener('input', () => {
    onText(area.value)
    fit()
  })
  // Its height is known only once it stands in the page, and changes with its width; its own growing changes nothing.
  let width = 0
  new ResizeObserver(() => {
    if (area.clientWidth === width) return
    width = area.clientWidth
    fit()
  }).observe(area)
  if (onKey !== undefined) area.addEventListener('keydown', (event) => onKey(event, area))
  return area
}
