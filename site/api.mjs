// The API reference: pages from the declarations and comments of the published packages, by TypeDoc.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Application } from 'typedoc';

const introduction = `Everything that the packages export, from the comments in their types. \`nearfield\` is the complete library: its
[Scene](nearfield/interfaces/Scene.md) has every question as a method. [Entry points](../../../packages/nearfield/README.md#pay-only-for-what-you-import)
says what each of the others is for.`;

/** The packages whose types are described. The first declares what others export again. */
const packages = ['nearfield', 'io', 'cluster'];

/** Writes api/ into a folder. Throws if a comment links to something that is not there. */
export async function writeApi(folder) {
  const out = join(folder, 'api');
  const entries = packages.flatMap(entriesOf);
  rmSync(out, { recursive: true, force: true });
  const app = await Application.bootstrapWithPlugins({
    name: 'API',
    outputs: [{ name: 'markdown', path: out }],
    entryPoints: entries.map(({ types }) => types),
    tsconfig: 'site/tsconfig.api.json',
    plugin: ['typedoc-plugin-markdown'],
    // The declarations are complete, but not every package that they mention is installed where they are read.
    skipErrorChecking: true,
    excludeExternals: false,
    readme: 'none',
    disableSources: true,
    entryFileName: 'index',
    outputFileStrategy: 'members',
    hidePageHeader: true,
    hideBreadcrumbs: false,
    useCodeBlocks: true,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    classPropertiesFormat: 'table',
    typeDeclarationFormat: 'table',
    logLevel: 'Warn',
    validation: { notExported: false, invalidLink: true, notDocumented: false },
  });
  const project = await app.convert();
  if (project === undefined)
    throw new Error('TypeDoc could not read the declarations: run npm run build first');
  for (const module of project.children) {
    const entry = entries.find(({ types }) => typedocName(types) === module.name);
    if (entry === undefined) throw new Error(`no package exports ${module.name}`);
    module.name = entry.name;
  }
  app.validate(project);
  await app.generateOutputs(project);
  const index = join(out, 'index.md');
  writeFileSync(index, readFileSync(index, 'utf8').replace('# API\n', `# API\n\n${introduction}\n`));
  if (app.logger.hasErrors() || app.logger.hasWarnings())
    throw new Error('the API reference has errors: see above');
}

/** What a program can import from a package, and where its types are declared. */
function entriesOf(folder) {
  const { name, exports } = JSON.parse(readFileSync(`packages/${folder}/package.json`, 'utf8'));
  return Object.entries(exports)
    .filter(([, { types }]) => types !== undefined)
    .map(([path, { types }]) => ({ name: join(name, path), types: join('packages', folder, types) }));
}

/** TypeDoc names a module after its file, without the folder that all have in common. */
const typedocName = types =>
  types
    .replace(/^packages\//, '')
    .replace(/\.d\.ts$/, '')
    .replace(/\/index$/, '');
