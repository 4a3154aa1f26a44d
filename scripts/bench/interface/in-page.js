/** What the interface bench does inside the window: evaluated in the page before it is measured. */
globalThis.bench = {
  gridOf: (label) => document.querySelector(`[role=grid][aria-label="${label}"]`),
  rows: (label) => [...document.querySelectorAll(`[role=grid][aria-label="${label}"] [data-row]`)],

  /** Whether a list shows rows, none of which is still being read. */
  isFilled(label) {
    const rows = this.rows(label)
    return rows.length > 0 && rows.every((row) => !row.querySelector('[aria-label^="Loading"]'))
  },

  /** Whether a section is shown: its heading, its list if it has one (Publish has Pages), and nothing that is still being read. */
  isShown(section) {
    const pane = document.querySelector('[data-pane="list"]')
    if (pane?.querySelector('h1 span')?.textContent !== section) return false
    const list = pane.querySelector('[role=grid]')?.getAttribute('aria-label')
    return list ? this.isFilled(list) : !pane.querySelector('[aria-label^="Loading"]')
  },

  /** What tells one answer of a list from another: how long it is, and how it begins. */
  face(label) {
    return this.isFilled(label) ? `${this.gridOf(label).ariaRowCount} ${this.rows(label)[0].textContent}` : ''
  },

  /** The moment, in milliseconds since 1970, at the end of the frame in which `holds` is true for the first time. */
  when(holds) {
    return new Promise((resolve, reject) => {
      const start = performance.now()
      const painted = new MessageChannel()
      painted.port1.onmessage = () => resolve(performance.timeOrigin + performance.now())
      const look = () => {
        if (holds()) painted.port2.postMessage(null)
        else if (performance.now() - start > 30_000) reject(new Error(`Not within 30 s: ${holds}`))
        else requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    })
  },

  /** Milliseconds from the next `input` (a click, a key, letters in a field) to the frame in which `holds` is true. */
  after(input, holds) {
    return new Promise((resolve, reject) => {
      const begin = ({ timeStamp }) =>
        this.when(holds).then((moment) => resolve(moment - performance.timeOrigin - timeStamp), reject)
      addEventListener(input, begin, { capture: true, once: true })
    })
  },

  /** The same for another face of a list. */
  afterChange(input, label) {
    const before = this.face(label)
    return this.after(input, () => ![before, ''].includes(this.face(label)))
  },

  /** Whether a comparison of texts shows a difference; it lies in a shadow tree. */
  showsDifference: () =>
    [...document.querySelectorAll('main *')].some((one) => one.shadowRoot?.querySelector('.cm-changedLine')),

  /** From now on, the longest that this page could not answer; called again, it tells. */
  longestTask() {
    const tasks = []
    new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: 'longtask' })
    this.longestTask = () => Math.max(0, ...tasks.map(({ duration }) => duration))
  },

  /** Scrolls so many frames up and down a list, or none at all, and gives the time between frames. */
  async scroll(label, frames, pixels) {
    const box = this.gridOf(label)
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const times = []
    let direction = 1
    let last = await nextFrame()
    for (let frame = 0; frame < frames; frame += 1) {
      const before = box.scrollTop
      box.scrollTop += direction * pixels
      if (pixels > 0 && box.scrollTop === before) direction = -direction
      const now = await nextFrame()
      times.push(now - last)
      last = now
    }
    return times
  },

  /** Makes a static list as long as one that is worth scrolling. */
  repeatRows(label, times) {
    const rows = this.rows(label)
    for (let time = 1; time < times; time += 1) rows.at(-1).after(...rows.map((row) => row.cloneNode(true)))
  },

  count: (label) => Number(globalThis.bench.gridOf(label).ariaRowCount),
}
