// The XML documents of a BCF file, in version 2.1 or 3.0 of buildingSMART's format. The order of elements is that of the
// published schemas.

import type { GivenFile } from '../../assembly/types.ts';
import { baseName } from '../../text/paths.ts';
import { xmlText as xml } from '../../text/xml.ts';
import { guidOf, program, type Topic, topicStatuses, topicType } from './topics.ts';
import type { BcfView } from './view.ts';

export type BcfVersion = '2.1' | '3.0';

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

export const versionXml = (version: BcfVersion): string =>
  version === '2.1'
    ? `${declaration}<Version VersionId="2.1"><DetailedVersion>2.1</DetailedVersion></Version>\n`
    : `${declaration}<Version VersionId="3.0"/>\n`;

/** The words that topics use, which version 3.0 lists. */
export function extensionsXml(topics: readonly Topic[]): string {
  const list = (outer: string, inner: string, values: Iterable<string>) =>
    `  <${outer}>${[...new Set(values)].map(value => `<${inner}>${xml(value)}</${inner}>`).join('')}</${outer}>\n`;
  return `${declaration}<Extensions>\n${[
    list('TopicTypes', 'TopicType', [topicType]),
    list('TopicStatuses', 'TopicStatus', topicStatuses),
    list(
      'Priorities',
      'Priority',
      topics.flatMap(({ priority }) => priority ?? []),
    ),
    list(
      'TopicLabels',
      'TopicLabel',
      topics.flatMap(({ labels }) => labels),
    ),
    list('Users', 'User', [
      program,
      ...topics.flatMap(({ comments }) => comments.map(({ author }) => author)),
    ]),
  ].join('')}</Extensions>\n`;
}

export function markupXml(
  topic: Topic,
  files: readonly GivenFile[],
  date: string,
  version: BcfVersion,
): string {
  const is3 = version === '3.0';
  const entries = files.map(
    ({ name }) =>
      `<File ${is3 ? 'IsExternal' : 'isExternal'}="true"><Filename>${xml(baseName(name))}</Filename></File>`,
  );
  const header = is3 ? `<Files>${entries.join('')}</Files>` : entries.join('');
  const labels = topic.labels.map(
    label => `<${is3 ? 'Label' : 'Labels'}>${xml(label)}</${is3 ? 'Label' : 'Labels'}>`,
  );
  const viewpoint = guidOf(`viewpoint ${topic.guid}`);
  const comments = topic.comments
    .map(
      ({ guid, text, author, date: when }) =>
        `<Comment Guid="${guid}"><Date>${xml(when)}</Date><Author>${xml(author)}</Author><Comment>${xml(text)}</Comment></Comment>`,
    )
    .join('');
  const views =
    topic.view === undefined
      ? ''
      : `<${is3 ? 'ViewPoint' : 'Viewpoints'} Guid="${viewpoint}"><Viewpoint>viewpoint.bcfv</Viewpoint><Snapshot>snapshot.png</Snapshot></${is3 ? 'ViewPoint' : 'Viewpoints'}>`;
  const inside = [
    `<Title>${xml(topic.title)}</Title>`,
    topic.priority === undefined ? '' : `<Priority>${xml(topic.priority)}</Priority>`,
    is3 ? `<Labels>${labels.join('')}</Labels>` : labels.join(''),
    `<CreationDate>${xml(date)}</CreationDate>`,
    `<CreationAuthor>${program}</CreationAuthor>`,
    `<Description>${xmlLines(topic.description)}</Description>`,
    is3 ? `<Comments>${comments}</Comments><Viewpoints>${views}</Viewpoints>` : '',
  ].join('');
  return `${declaration}<Markup>
${files.length === 0 ? '' : `<Header>${header}</Header>\n`}<Topic Guid="${topic.guid}" TopicType="${topicType}" TopicStatus="${topic.status}">${inside}</Topic>
${is3 ? '' : `${comments}${views}\n`}</Markup>\n`;
}

/** The two parts selected, everything visible, and the camera of the snapshot. */
export function viewpointXml({ guid, components }: Topic, view: BcfView, version: BcfVersion): string {
  const vector = (name: string, [x, y, z]: readonly number[]) =>
    `<${name}><X>${x}</X><Y>${y}</Y><Z>${z}</Z></${name}>`;
  const selected = components.map(id => `<Component IfcGuid="${xml(id)}"/>`).join('');
  const camera = [
    vector('CameraViewPoint', view.position),
    vector('CameraDirection', view.direction),
    vector('CameraUpVector', view.up),
    `<ViewToWorldScale>${view.height}</ViewToWorldScale>`,
    version === '3.0' ? `<AspectRatio>${view.aspect}</AspectRatio>` : '',
  ].join('');
  const selection = selected === '' ? '' : `<Selection>${selected}</Selection>`;
  return `${declaration}<VisualizationInfo Guid="${guidOf(`viewpoint ${guid}`)}">
<Components>${selection}<Visibility DefaultVisibility="true"/></Components>
<OrthogonalCamera>${camera}</OrthogonalCamera>
</VisualizationInfo>\n`;
}

/** Line ends stay, everything else that cannot be seen is escaped. */
const xmlLines = (text: string): string => text.split('\n').map(xml).join('\n');
