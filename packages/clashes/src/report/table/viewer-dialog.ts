// Opens the viewer on a pair: unpacks its script and the geometry when they are first needed, and says so if the browser
// has no WebGL.

import type { ViewerData } from '../viewer/data.ts';
import { unpack } from '../viewer/packed.ts';
import type { CreateViewer, Viewer } from '../viewer/viewer.ts';

declare const nearfieldViewer: CreateViewer;

export class ViewerDialog {
  private viewer: Promise<Viewer> | undefined;
  private shown = 0;
  private readonly count: number;
  private readonly message: HTMLElement;
  private readonly data: ViewerData;

  /** `geometry` is the element with the data of the viewer. */
  constructor(
    private readonly dialog: HTMLDialogElement,
    geometry: HTMLElement,
  ) {
    this.data = JSON.parse(geometry.textContent!);
    this.count = this.data.pairs.length;
    this.message = dialog.querySelector('.message')!;
    document.addEventListener('click', event => {
      const link = (event.target as Element).closest<HTMLElement>('[data-view]');
      if (!link) return;
      event.preventDefault();
      this.open(Number(link.dataset['view']));
    });
    dialog.addEventListener('click', event => {
      const action = (event.target as Element).closest<HTMLElement>('[data-do]')?.dataset['do'];
      if (action) this.act(action);
    });
    for (const input of dialog.querySelectorAll<HTMLInputElement>('input')) {
      input.addEventListener('change', () => this.applyChoices());
    }
    dialog.addEventListener('keydown', event => {
      if ((event.target as Element).closest('input')) return;
      if (event.key === 'ArrowRight') this.act('next');
      if (event.key === 'ArrowLeft') this.act('previous');
    });
  }

  private async open(pair: number): Promise<void> {
    this.shown = pair;
    const caption = document.querySelector(`#pair-${pair + 1} figcaption`)!.cloneNode(true) as HTMLElement;
    for (const button of caption.querySelectorAll('button')) button.remove();
    this.dialog.querySelector('.about')!.replaceChildren(...caption.childNodes, this.partial(pair));
    this.dialog.querySelector('.which')!.textContent = `${pair + 1} of ${this.count}`;
    if (!this.dialog.open) this.dialog.showModal();
    this.message.textContent = this.viewer ? '' : 'Loading …';
    this.viewer ??= this.load();
    try {
      const viewer = await this.viewer;
      if (this.shown !== pair) return;
      await viewer.show(pair);
      await this.applyChoices();
      this.message.textContent = '';
      this.dialog.dataset['shown'] = String(pair + 1);
    } catch (error) {
      this.dialog.classList.add('failed');
      this.message.textContent = `This browser cannot show the pair in three dimensions: WebGL or another part is missing or switched off (${error instanceof Error ? error.message : error}). The pictures on the page show the same.`;
    }
  }

  /** Says so if not all of a large body is here. */
  private partial(pair: number): string {
    const { a, b } = this.data.pairs[pair];
    const isPart = [a, b].some(mesh => this.data.meshes[mesh].of !== undefined);
    return isPart ? 'A large part is shown only around the contact.' : '';
  }

  private async load(): Promise<Viewer> {
    const code = document.getElementById('viewer-code')!.textContent!;
    const script = document.createElement('script');
    // The page's policy allows this script by its hash, and no other.
    script.textContent = new TextDecoder().decode(await unpack(code));
    document.head.append(script);
    return nearfieldViewer(this.dialog.querySelector('canvas')!, this.data);
  }

  private act(action: string): void {
    if (action === 'close') this.dialog.close();
    else if (action === 'next') this.open((this.shown + 1) % this.count);
    else if (action === 'previous') this.open((this.shown + this.count - 1) % this.count);
    else this.viewer?.then(viewer => (action === 'fit' ? viewer.fit() : viewer.picture())).catch(() => {});
  }

  /** Which bodies are shown, and whether as glass, stays from pair to pair. */
  private async applyChoices(): Promise<void> {
    const chosen = (name: string) => this.dialog.querySelector<HTMLInputElement>(`[name=${name}]:checked`);
    const viewer = await this.viewer;
    viewer?.showOnly((chosen('only')?.value ?? 'both') as 'both' | 'a' | 'b');
    viewer?.seeThrough(chosen('glass') !== null);
  }
}
