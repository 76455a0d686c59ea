/** What a start shows: a line for each thing done, and on a terminal what it is waiting for. */
import pc from 'picocolors';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

export class Progress {
  readonly #terminal = process.stdout.isTTY;
  readonly #waiting = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #frame = 0;

  /** Shows a step while it runs and a line with its time when it is done. */
  async step<T>(name: string, work: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    this.#waiting.add(name);
    this.#animate();
    try {
      const result = await work();
      const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
      this.line(`  ${pc.green('✓')} ${name} ${pc.dim(`${seconds} s`)}`);
      return result;
    } finally {
      this.#waiting.delete(name);
      if (this.#waiting.size === 0) this.#rest();
    }
  }

  line(text: string): void {
    this.#clear();
    console.log(text);
  }

  problem(text: string): void {
    this.#clear();
    console.error(text);
  }

  #animate(): void {
    if (!this.#terminal || this.#timer !== undefined) return;
    this.#timer = setInterval(() => {
      this.#frame = (this.#frame + 1) % FRAMES.length;
      const names = [...this.#waiting].join(', ');
      const text = `  ${FRAMES[this.#frame] ?? ''} ${names}`;
      process.stdout.write(`\r\x1b[2K${text.slice(0, process.stdout.columns - 1)}`);
    }, 100);
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#clear();
  }

  #clear(): void {
    if (this.#terminal) process.stdout.write('\r\x1b[2K');
  }
}
