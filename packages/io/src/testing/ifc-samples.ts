// A small IFC building, written by hand: a project with a site, a building and a storey; a wall with an opening that a
// door fills; two columns that share a mapped geometry; a cabinet of two boxes; a room.

export interface IfcSample {
  /** The record of the length unit, #20, without its number. Metres unless given. */
  readonly unit?: string;
  /** Where the site stands, as text: `0.,0.,0.`. */
  readonly site?: string;
  /** Records after the others. */
  readonly more?: string;
  readonly schema?: string;
}

export const ifcHeader = (schema: string): string =>
  `ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\n` +
  `FILE_NAME('','',(''),(''),'','','');\nFILE_SCHEMA(('${schema}'));\nENDSEC;\nDATA;\n`;

export const ifcEnd = 'ENDSEC;\nEND-ISO-10303-21;\n';

/** A GlobalId of 22 letters. */
export const idOf = (name: string): string => `0${name}`.padEnd(22, '0');

export function ifcText({ unit, site = '0.,0.,0.', more = '', schema = 'IFC4' }: IfcSample = {}): string {
  return `${ifcHeader(schema)}#1=IFCPROJECT('${idOf('project')}',$,'Project',$,$,$,$,(#10),#19);
#10=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-05,#11,$);
#11=IFCAXIS2PLACEMENT3D(#12,$,$);
#12=IFCCARTESIANPOINT((0.,0.,0.));
#13=IFCDIRECTION((0.,0.,1.));
#14=IFCDIRECTION((1.,0.,0.));
#15=IFCDIRECTION((0.,1.,0.));
#19=IFCUNITASSIGNMENT((#21,#20));
#20=${unit ?? 'IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.)'};
#21=IFCSIUNIT(*,.AREAUNIT.,$,.SQUARE_METRE.);
#22=IFCDIMENSIONALEXPONENTS(1,0,0,0,0,0,0);
#23=IFCMEASUREWITHUNIT(IFCLENGTHMEASURE(0.3048),#24);
#24=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);
#30=IFCCARTESIANPOINT((${site}));
#31=IFCAXIS2PLACEMENT3D(#30,$,$);
#32=IFCLOCALPLACEMENT($,#31);
#33=IFCLOCALPLACEMENT(#32,#11);
#34=IFCSITE('${idOf('site')}',$,'Site',$,$,#32,$,$,.ELEMENT.,$,$,$,$,$);
#35=IFCBUILDING('${idOf('building')}',$,$,$,$,#33,$,$,.ELEMENT.,$,$,$);
#36=IFCBUILDINGSTOREY('${idOf('storey')}',$,'Ground\\X2\\00DF\\X0\\ floor',$,$,#33,$,$,.ELEMENT.,0.);
#37=IFCRELAGGREGATES('${idOf('rel1')}',$,$,$,#1,(#34));
#38=IFCRELAGGREGATES('${idOf('rel2')}',$,$,$,#34,(#35));
#39=IFCRELAGGREGATES('${idOf('rel3')}',$,$,$,#35,(#36));
#40=IFCRELCONTAINEDINSPATIALSTRUCTURE('${idOf('rel4')}',$,$,$,(#50,#60,#70,#71,#80),#36);
#50=IFCWALL('${idOf('wall')}',$,'Wall ''A''',$,'Brick',#33,#51,'W-1',$);
#51=IFCPRODUCTDEFINITIONSHAPE($,$,(#52));
#52=IFCSHAPEREPRESENTATION(#10,'Body','SweptSolid',(#53));
#53=IFCEXTRUDEDAREASOLID(#54,#11,#13,3.);
#54=IFCRECTANGLEPROFILEDEF(.AREA.,$,#55,4.,0.25);
#55=IFCAXIS2PLACEMENT2D(#56,$);
#56=IFCCARTESIANPOINT((2.,0.125));
#57=IFCOPENINGELEMENT('${idOf('opening')}',$,'Opening',$,$,#33,#61,$,$);
#58=IFCRELVOIDSELEMENT('${idOf('rel5')}',$,$,$,#50,#57);
#59=IFCRELFILLSELEMENT('${idOf('rel6')}',$,$,$,#57,#60);
#60=IFCDOOR('${idOf('door')}',$,$,$,$,#33,#65,$,2.,1.,$,$,$);
#61=IFCPRODUCTDEFINITIONSHAPE($,$,(#62));
#62=IFCSHAPEREPRESENTATION(#10,'Body','SweptSolid',(#63));
#63=IFCEXTRUDEDAREASOLID(#64,#11,#13,2.);
#64=IFCRECTANGLEPROFILEDEF(.AREA.,$,#55,1.,0.25);
#65=IFCPRODUCTDEFINITIONSHAPE($,$,(#66));
#66=IFCSHAPEREPRESENTATION(#10,'Body','SweptSolid',(#67));
#67=IFCEXTRUDEDAREASOLID(#68,#11,#13,2.);
#68=IFCRECTANGLEPROFILEDEF(.AREA.,$,#55,1.,0.0625);
#70=IFCCOLUMN('${idOf('columnA')}',$,'Column A',$,$,#72,#75,$,$);
#71=IFCCOLUMN('${idOf('columnB')}',$,'Column B',$,$,#74,#75,$,$);
#72=IFCLOCALPLACEMENT(#33,#92);
#73=IFCAXIS2PLACEMENT3D(#94,#13,#15);
#74=IFCLOCALPLACEMENT(#33,#73);
#75=IFCPRODUCTDEFINITIONSHAPE($,$,(#76));
#76=IFCSHAPEREPRESENTATION(#10,'Body','MappedRepresentation',(#77));
#77=IFCMAPPEDITEM(#78,#79);
#78=IFCREPRESENTATIONMAP(#11,#95);
#79=IFCCARTESIANTRANSFORMATIONOPERATOR3D($,$,#12,$,$);
#80=IFCFURNISHINGELEMENT('${idOf('cabinet')}',$,'Cabinet',$,$,#84,#81,$);
#81=IFCPRODUCTDEFINITIONSHAPE($,$,(#82));
#82=IFCSHAPEREPRESENTATION(#10,'Body','SweptSolid',(#97,#83));
#83=IFCEXTRUDEDAREASOLID(#96,#85,#13,0.5);
#84=IFCLOCALPLACEMENT(#33,#86);
#85=IFCAXIS2PLACEMENT3D(#87,$,$);
#86=IFCAXIS2PLACEMENT3D(#88,#13,#15);
#87=IFCCARTESIANPOINT((0.,0.,1.));
#88=IFCCARTESIANPOINT((1.,5.,0.));
#92=IFCAXIS2PLACEMENT3D(#93,$,$);
#93=IFCCARTESIANPOINT((1.,2.,0.));
#94=IFCCARTESIANPOINT((3.,2.,0.));
#95=IFCSHAPEREPRESENTATION(#10,'Body','SweptSolid',(#97));
#96=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,0.5,0.25);
#97=IFCEXTRUDEDAREASOLID(#96,#11,#13,1.);
#98=IFCSPACE('${idOf('space')}',$,'Room',$,$,#33,#61,$,.ELEMENT.,.INTERNAL.,$);
#99=IFCRELAGGREGATES('${idOf('rel7')}',$,$,$,#36,(#98));
#100=IFCPROPERTYSET('${idOf('pset')}',$,'Pset_WallCommon',$,(#101,#102,#103,#104));
#101=IFCPROPERTYSINGLEVALUE('FireRating',$,IFCLABEL('F90'),$);
#102=IFCPROPERTYSINGLEVALUE('LoadBearing',$,IFCBOOLEAN(.T.),$);
#103=IFCPROPERTYSINGLEVALUE('ThermalTransmittance',$,IFCREAL(0.25),$);
#104=IFCPROPERTYENUMERATEDVALUE('Status',$,(IFCLABEL('NEW'),IFCLABEL('DEMOLISH')),$);
#105=IFCRELDEFINESBYPROPERTIES('${idOf('rel8')}',$,$,$,(#50),#100);
#106=IFCELEMENTQUANTITY('${idOf('quantities')}',$,'BaseQuantities',$,$,(#107));
#107=IFCQUANTITYLENGTH('Width',$,$,0.25,$);
#108=IFCRELDEFINESBYPROPERTIES('${idOf('rel9')}',$,$,$,(#50),#106);
#109=IFCWALLTYPE('${idOf('type')}',$,'Brick wall',$,$,(#110),$,$,$,.STANDARD.);
#110=IFCPROPERTYSET('${idOf('pset2')}',$,'Pset_WallCommon',$,(#111,#112));
#111=IFCPROPERTYSINGLEVALUE('FireRating',$,IFCLABEL('F30'),$);
#112=IFCPROPERTYSINGLEVALUE('Combustible',$,IFCLOGICAL(.F.),$);
#113=IFCRELDEFINESBYTYPE('${idOf('rel10')}',$,$,$,(#50),#109);
${more}${ifcEnd}`;
}
