// <GetIt>: the commands that bring an example, packages or the sources into an empty folder, from the site where the page is read.
import { withBase } from 'vitepress';
import { defineComponent, h, onMounted, ref } from 'vue';
import { data } from './downloads.data.ts';

export const GetIt = defineComponent({
  props: {
    /** An example, to be unpacked and started. */
    example: String,
    /** Packages to install, beside an example or without one. */
    packages: String,
    /** Whether the archives of the packages are kept in the folder. */
    keep: Boolean,
    /** More packages to install, from npm. */
    also: String,
    /** Whether to get the sources instead. */
    sources: Boolean,
    /** What to run in the end; without it, an example is started. */
    run: String,
    /** What leads to the commands. */
    lead: { type: String, default: 'Or in an empty folder, from this site:' },
  },
  setup(props) {
    // Known in the browser alone; the page is rendered beforehand without it.
    const origin = ref('');
    onMounted(() => {
      origin.value = location.origin;
    });
    return () => [
      h('p', props.lead),
      h('div', { class: 'language-sh vp-adaptive-theme get-it' }, [
        h('button', { title: 'Copy Code', class: 'copy' }),
        h('span', { class: 'lang' }, 'sh'),
        h('pre', { class: 'shiki vp-code' }, h('code', commands(props, origin.value).join('\n'))),
      ]),
    ];
  },
});

interface Wanted {
  readonly example?: string | undefined;
  readonly packages?: string | undefined;
  readonly keep: boolean;
  readonly also?: string | undefined;
  readonly sources: boolean;
  readonly run?: string | undefined;
}

function commands({ example, packages = '', keep, also, sources, run }: Wanted, origin: string): string[] {
  const address = (file: string) => `${origin}${withBase(`/downloads/${file}`)}`;
  const unpack = (file: string, folder: string) => [
    `curl -O ${address(file)}`,
    `tar xzf ${file.split('/').at(-1)} && cd ${folder}`,
  ];
  const named = packages.split(' ').filter(Boolean);
  const ofExample = example ? data.examples[example] : [];
  const needed = [...new Set([...ofExample, ...named.flatMap(name => data.packages[name])])];
  const archives = needed.map(name => data.archiveOf[name]);
  const installed = [...archives.map(file => (keep ? `./${file}` : address(file))), ...(also ? [also] : [])];
  return [
    ...(sources ? unpack(data.sources, 'nearfield') : []),
    ...(example ? unpack(`examples/${example}.tgz`, example) : []),
    ...(named.length > 0 && !example ? ['npm init -y'] : []),
    ...(keep ? archives.map(file => `curl -O ${address(file)}`) : []),
    ...(installed.length > 0 ? [`npm install ${installed.join(' \\\n  ')}`] : []),
    ...(run ? [run] : example ? ['npm start'] : []),
  ];
}
