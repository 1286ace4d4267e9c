exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)
----
ok, 0 rows

exec
INSERT INTO t (_doc) VALUES ('{"_id":"k000","n":0,"g":0,"half":0,"s":"s000","rare":0}'),('{"_id":"k001","n":37,"g":1,"half":1,"s":"s091"}'),('{"_id":"k002","n":74,"g":2,"half":0,"s":"s182"}'),('{"_id":"k003","n":111,"g":3,"half":1,"s":"s273"}'),('{"_id":"k004","n":148,"g":4,"half":0,"s":"s364"}'),('{"_id":"k005","n":185,"g":5,"half":1,"s":"s055"}'),('{"_id":"k006","n":222,"g":6,"half":0,"s":"s146"}'),('{"_id":"k007","n":259,"g":7,"half":1,"s":"s237"}'),('{"_id":"k008","n":296,"g":0,"half":0,"s":"s328"}'),('{"_id":"k009","n":333,"g":1,"half":1,"s":"s019"}'),('{"_id":"k010","n":370,"g":2,"half":0,"s":"s110"}'),('{"_id":"k011","n":7,"g":3,"half":1,"s":"s201"}'),('{"_id":"k012","n":44,"g":4,"half":0,"s":"s292"}'),('{"_id":"k013","n":81,"g":5,"half":1,"s":"s383"}'),('{"_id":"k014","n":118,"g":6,"half":0,"s":"s074"}'),('{"_id":"k015","n":155,"g":7,"half":1,"s":"s165"}'),('{"_id":"k016","n":192,"g":0,"half":0,"s":"s256"}'),('{"_id":"k017","n":229,"g":1,"half":1,"s":"s347"}'),('{"_id":"k018","n":266,"g":2,"half":0,"s":"s038"}'),('{"_id":"k019","n":303,"g":3,"half":1,"s":"s129"}'),
('{"_id":"k020","n":340,"g":4,"half":0,"s":"s220"}'),('{"_id":"k021","n":377,"g":5,"half":1,"s":"s311"}'),('{"_id":"k022","n":14,"g":6,"half":0,"s":"s002"}'),('{"_id":"k023","n":51,"g":7,"half":1,"s":"s093"}'),('{"_id":"k024","n":88,"g":0,"half":0,"s":"s184"}'),('{"_id":"k025","n":125,"g":1,"half":1,"s":"s275"}'),('{"_id":"k026","n":162,"g":2,"half":0,"s":"s366"}'),('{"_id":"k027","n":199,"g":3,"half":1,"s":"s057"}'),('{"_id":"k028","n":236,"g":4,"half":0,"s":"s148"}'),('{"_id":"k029","n":273,"g":5,"half":1,"s":"s239"}'),('{"_id":"k030","n":310,"g":6,"half":0,"s":"s330"}'),('{"_id":"k031","n":347,"g":7,"half":1,"s":"s021"}'),('{"_id":"k032","n":384,"g":0,"half":0,"s":"s112"}'),('{"_id":"k033","n":21,"g":1,"half":1,"s":"s203"}'),('{"_id":"k034","n":58,"g":2,"half":0,"s":"s294"}'),('{"_id":"k035","n":95,"g":3,"half":1,"s":"s385"}'),('{"_id":"k036","n":132,"g":4,"half":0,"s":"s076"}'),('{"_id":"k037","n":169,"g":5,"half":1,"s":"s167"}'),('{"_id":"k038","n":206,"g":6,"half":0,"s":"s258"}'),('{"_id":"k039","n":243,"g":7,"half":1,"s":"s349"}'),
('{"_id":"k040","n":280,"g":0,"half":0,"s":"s040","rare":1}'),('{"_id":"k041","n":317,"g":1,"half":1,"s":"s131"}'),('{"_id":"k042","n":354,"g":2,"half":0,"s":"s222"}'),('{"_id":"k043","n":391,"g":3,"half":1,"s":"s313"}'),('{"_id":"k044","n":28,"g":4,"half":0,"s":"s004"}'),('{"_id":"k045","n":65,"g":5,"half":1,"s":"s095"}'),('{"_id":"k046","n":102,"g":6,"half":0,"s":"s186"}'),('{"_id":"k047","n":139,"g":7,"half":1,"s":"s277"}'),('{"_id":"k048","n":176,"g":0,"half":0,"s":"s368"}'),('{"_id":"k049","n":213,"g":1,"half":1,"s":"s059"}'),('{"_id":"k050","n":250,"g":2,"half":0,"s":"s150"}'),('{"_id":"k051","n":287,"g":3,"half":1,"s":"s241"}'),('{"_id":"k052","n":324,"g":4,"half":0,"s":"s332"}'),('{"_id":"k053","n":361,"g":5,"half":1,"s":"s023"}'),('{"_id":"k054","n":398,"g":6,"half":0,"s":"s114"}'),('{"_id":"k055","n":35,"g":7,"half":1,"s":"s205"}'),('{"_id":"k056","n":72,"g":0,"half":0,"s":"s296"}'),('{"_id":"k057","n":109,"g":1,"half":1,"s":"s387"}'),('{"_id":"k058","n":146,"g":2,"half":0,"s":"s078"}'),('{"_id":"k059","n":183,"g":3,"half":1,"s":"s169"}'),
('{"_id":"k060","n":220,"g":4,"half":0,"s":"s260"}'),('{"_id":"k061","n":257,"g":5,"half":1,"s":"s351"}'),('{"_id":"k062","n":294,"g":6,"half":0,"s":"s042"}'),('{"_id":"k063","n":331,"g":7,"half":1,"s":"s133"}'),('{"_id":"k064","n":368,"g":0,"half":0,"s":"s224"}'),('{"_id":"k065","n":5,"g":1,"half":1,"s":"s315"}'),('{"_id":"k066","n":42,"g":2,"half":0,"s":"s006"}'),('{"_id":"k067","n":79,"g":3,"half":1,"s":"s097"}'),('{"_id":"k068","n":116,"g":4,"half":0,"s":"s188"}'),('{"_id":"k069","n":153,"g":5,"half":1,"s":"s279"}'),('{"_id":"k070","n":190,"g":6,"half":0,"s":"s370"}'),('{"_id":"k071","n":227,"g":7,"half":1,"s":"s061"}'),('{"_id":"k072","n":264,"g":0,"half":0,"s":"s152"}'),('{"_id":"k073","n":301,"g":1,"half":1,"s":"s243"}'),('{"_id":"k074","n":338,"g":2,"half":0,"s":"s334"}'),('{"_id":"k075","n":375,"g":3,"half":1,"s":"s025"}'),('{"_id":"k076","n":12,"g":4,"half":0,"s":"s116"}'),('{"_id":"k077","n":49,"g":5,"half":1,"s":"s207"}'),('{"_id":"k078","n":86,"g":6,"half":0,"s":"s298"}'),('{"_id":"k079","n":123,"g":7,"half":1,"s":"s389"}'),
('{"_id":"k080","n":160,"g":0,"half":0,"s":"s080","rare":2}'),('{"_id":"k081","n":197,"g":1,"half":1,"s":"s171"}'),('{"_id":"k082","n":234,"g":2,"half":0,"s":"s262"}'),('{"_id":"k083","n":271,"g":3,"half":1,"s":"s353"}'),('{"_id":"k084","n":308,"g":4,"half":0,"s":"s044"}'),('{"_id":"k085","n":345,"g":5,"half":1,"s":"s135"}'),('{"_id":"k086","n":382,"g":6,"half":0,"s":"s226"}'),('{"_id":"k087","n":19,"g":7,"half":1,"s":"s317"}'),('{"_id":"k088","n":56,"g":0,"half":0,"s":"s008"}'),('{"_id":"k089","n":93,"g":1,"half":1,"s":"s099"}'),('{"_id":"k090","n":130,"g":2,"half":0,"s":"s190"}'),('{"_id":"k091","n":167,"g":3,"half":1,"s":"s281"}'),('{"_id":"k092","n":204,"g":4,"half":0,"s":"s372"}'),('{"_id":"k093","n":241,"g":5,"half":1,"s":"s063"}'),('{"_id":"k094","n":278,"g":6,"half":0,"s":"s154"}'),('{"_id":"k095","n":315,"g":7,"half":1,"s":"s245"}'),('{"_id":"k096","n":352,"g":0,"half":0,"s":"s336"}'),('{"_id":"k097","n":389,"g":1,"half":1,"s":"s027"}'),('{"_id":"k098","n":26,"g":2,"half":0,"s":"s118"}'),('{"_id":"k099","n":63,"g":3,"half":1,"s":"s209"}'),
('{"_id":"k100","n":100,"g":4,"half":0,"s":"s300"}'),('{"_id":"k101","n":137,"g":5,"half":1,"s":"s391"}'),('{"_id":"k102","n":174,"g":6,"half":0,"s":"s082"}'),('{"_id":"k103","n":211,"g":7,"half":1,"s":"s173"}'),('{"_id":"k104","n":248,"g":0,"half":0,"s":"s264"}'),('{"_id":"k105","n":285,"g":1,"half":1,"s":"s355"}'),('{"_id":"k106","n":322,"g":2,"half":0,"s":"s046"}'),('{"_id":"k107","n":359,"g":3,"half":1,"s":"s137"}'),('{"_id":"k108","n":396,"g":4,"half":0,"s":"s228"}'),('{"_id":"k109","n":33,"g":5,"half":1,"s":"s319"}'),('{"_id":"k110","n":70,"g":6,"half":0,"s":"s010"}'),('{"_id":"k111","n":107,"g":7,"half":1,"s":"s101"}'),('{"_id":"k112","n":144,"g":0,"half":0,"s":"s192"}'),('{"_id":"k113","n":181,"g":1,"half":1,"s":"s283"}'),('{"_id":"k114","n":218,"g":2,"half":0,"s":"s374"}'),('{"_id":"k115","n":255,"g":3,"half":1,"s":"s065"}'),('{"_id":"k116","n":292,"g":4,"half":0,"s":"s156"}'),('{"_id":"k117","n":329,"g":5,"half":1,"s":"s247"}'),('{"_id":"k118","n":366,"g":6,"half":0,"s":"s338"}'),('{"_id":"k119","n":3,"g":7,"half":1,"s":"s029"}'),
('{"_id":"k120","n":40,"g":0,"half":0,"s":"s120","rare":3}'),('{"_id":"k121","n":77,"g":1,"half":1,"s":"s211"}'),('{"_id":"k122","n":114,"g":2,"half":0,"s":"s302"}'),('{"_id":"k123","n":151,"g":3,"half":1,"s":"s393"}'),('{"_id":"k124","n":188,"g":4,"half":0,"s":"s084"}'),('{"_id":"k125","n":225,"g":5,"half":1,"s":"s175"}'),('{"_id":"k126","n":262,"g":6,"half":0,"s":"s266"}'),('{"_id":"k127","n":299,"g":7,"half":1,"s":"s357"}'),('{"_id":"k128","n":336,"g":0,"half":0,"s":"s048"}'),('{"_id":"k129","n":373,"g":1,"half":1,"s":"s139"}'),('{"_id":"k130","n":10,"g":2,"half":0,"s":"s230"}'),('{"_id":"k131","n":47,"g":3,"half":1,"s":"s321"}'),('{"_id":"k132","n":84,"g":4,"half":0,"s":"s012"}'),('{"_id":"k133","n":121,"g":5,"half":1,"s":"s103"}'),('{"_id":"k134","n":158,"g":6,"half":0,"s":"s194"}'),('{"_id":"k135","n":195,"g":7,"half":1,"s":"s285"}'),('{"_id":"k136","n":232,"g":0,"half":0,"s":"s376"}'),('{"_id":"k137","n":269,"g":1,"half":1,"s":"s067"}'),('{"_id":"k138","n":306,"g":2,"half":0,"s":"s158"}'),('{"_id":"k139","n":343,"g":3,"half":1,"s":"s249"}'),
('{"_id":"k140","n":380,"g":4,"half":0,"s":"s340"}'),('{"_id":"k141","n":17,"g":5,"half":1,"s":"s031"}'),('{"_id":"k142","n":54,"g":6,"half":0,"s":"s122"}'),('{"_id":"k143","n":91,"g":7,"half":1,"s":"s213"}'),('{"_id":"k144","n":128,"g":0,"half":0,"s":"s304"}'),('{"_id":"k145","n":165,"g":1,"half":1,"s":"s395"}'),('{"_id":"k146","n":202,"g":2,"half":0,"s":"s086"}'),('{"_id":"k147","n":239,"g":3,"half":1,"s":"s177"}'),('{"_id":"k148","n":276,"g":4,"half":0,"s":"s268"}'),('{"_id":"k149","n":313,"g":5,"half":1,"s":"s359"}'),('{"_id":"k150","n":350,"g":6,"half":0,"s":"s050"}'),('{"_id":"k151","n":387,"g":7,"half":1,"s":"s141"}'),('{"_id":"k152","n":24,"g":0,"half":0,"s":"s232"}'),('{"_id":"k153","n":61,"g":1,"half":1,"s":"s323"}'),('{"_id":"k154","n":98,"g":2,"half":0,"s":"s014"}'),('{"_id":"k155","n":135,"g":3,"half":1,"s":"s105"}'),('{"_id":"k156","n":172,"g":4,"half":0,"s":"s196"}'),('{"_id":"k157","n":209,"g":5,"half":1,"s":"s287"}'),('{"_id":"k158","n":246,"g":6,"half":0,"s":"s378"}'),('{"_id":"k159","n":283,"g":7,"half":1,"s":"s069"}'),
('{"_id":"k160","n":320,"g":0,"half":0,"s":"s160","rare":4}'),('{"_id":"k161","n":357,"g":1,"half":1,"s":"s251"}'),('{"_id":"k162","n":394,"g":2,"half":0,"s":"s342"}'),('{"_id":"k163","n":31,"g":3,"half":1,"s":"s033"}'),('{"_id":"k164","n":68,"g":4,"half":0,"s":"s124"}'),('{"_id":"k165","n":105,"g":5,"half":1,"s":"s215"}'),('{"_id":"k166","n":142,"g":6,"half":0,"s":"s306"}'),('{"_id":"k167","n":179,"g":7,"half":1,"s":"s397"}'),('{"_id":"k168","n":216,"g":0,"half":0,"s":"s088"}'),('{"_id":"k169","n":253,"g":1,"half":1,"s":"s179"}'),('{"_id":"k170","n":290,"g":2,"half":0,"s":"s270"}'),('{"_id":"k171","n":327,"g":3,"half":1,"s":"s361"}'),('{"_id":"k172","n":364,"g":4,"half":0,"s":"s052"}'),('{"_id":"k173","n":1,"g":5,"half":1,"s":"s143"}'),('{"_id":"k174","n":38,"g":6,"half":0,"s":"s234"}'),('{"_id":"k175","n":75,"g":7,"half":1,"s":"s325"}'),('{"_id":"k176","n":112,"g":0,"half":0,"s":"s016"}'),('{"_id":"k177","n":149,"g":1,"half":1,"s":"s107"}'),('{"_id":"k178","n":186,"g":2,"half":0,"s":"s198"}'),('{"_id":"k179","n":223,"g":3,"half":1,"s":"s289"}'),
('{"_id":"k180","n":260,"g":4,"half":0,"s":"s380"}'),('{"_id":"k181","n":297,"g":5,"half":1,"s":"s071"}'),('{"_id":"k182","n":334,"g":6,"half":0,"s":"s162"}'),('{"_id":"k183","n":371,"g":7,"half":1,"s":"s253"}'),('{"_id":"k184","n":8,"g":0,"half":0,"s":"s344"}'),('{"_id":"k185","n":45,"g":1,"half":1,"s":"s035"}'),('{"_id":"k186","n":82,"g":2,"half":0,"s":"s126"}'),('{"_id":"k187","n":119,"g":3,"half":1,"s":"s217"}'),('{"_id":"k188","n":156,"g":4,"half":0,"s":"s308"}'),('{"_id":"k189","n":193,"g":5,"half":1,"s":"s399"}'),('{"_id":"k190","n":230,"g":6,"half":0,"s":"s090"}'),('{"_id":"k191","n":267,"g":7,"half":1,"s":"s181"}'),('{"_id":"k192","n":304,"g":0,"half":0,"s":"s272"}'),('{"_id":"k193","n":341,"g":1,"half":1,"s":"s363"}'),('{"_id":"k194","n":378,"g":2,"half":0,"s":"s054"}'),('{"_id":"k195","n":15,"g":3,"half":1,"s":"s145"}'),('{"_id":"k196","n":52,"g":4,"half":0,"s":"s236"}'),('{"_id":"k197","n":89,"g":5,"half":1,"s":"s327"}'),('{"_id":"k198","n":126,"g":6,"half":0,"s":"s018"}'),('{"_id":"k199","n":163,"g":7,"half":1,"s":"s109"}'),
('{"_id":"k200","n":200,"g":0,"half":0,"s":"s200","rare":5}'),('{"_id":"k201","n":237,"g":1,"half":1,"s":"s291"}'),('{"_id":"k202","n":274,"g":2,"half":0,"s":"s382"}'),('{"_id":"k203","n":311,"g":3,"half":1,"s":"s073"}'),('{"_id":"k204","n":348,"g":4,"half":0,"s":"s164"}'),('{"_id":"k205","n":385,"g":5,"half":1,"s":"s255"}'),('{"_id":"k206","n":22,"g":6,"half":0,"s":"s346"}'),('{"_id":"k207","n":59,"g":7,"half":1,"s":"s037"}'),('{"_id":"k208","n":96,"g":0,"half":0,"s":"s128"}'),('{"_id":"k209","n":133,"g":1,"half":1,"s":"s219"}'),('{"_id":"k210","n":170,"g":2,"half":0,"s":"s310"}'),('{"_id":"k211","n":207,"g":3,"half":1,"s":"s001"}'),('{"_id":"k212","n":244,"g":4,"half":0,"s":"s092"}'),('{"_id":"k213","n":281,"g":5,"half":1,"s":"s183"}'),('{"_id":"k214","n":318,"g":6,"half":0,"s":"s274"}'),('{"_id":"k215","n":355,"g":7,"half":1,"s":"s365"}'),('{"_id":"k216","n":392,"g":0,"half":0,"s":"s056"}'),('{"_id":"k217","n":29,"g":1,"half":1,"s":"s147"}'),('{"_id":"k218","n":66,"g":2,"half":0,"s":"s238"}'),('{"_id":"k219","n":103,"g":3,"half":1,"s":"s329"}'),
('{"_id":"k220","n":140,"g":4,"half":0,"s":"s020"}'),('{"_id":"k221","n":177,"g":5,"half":1,"s":"s111"}'),('{"_id":"k222","n":214,"g":6,"half":0,"s":"s202"}'),('{"_id":"k223","n":251,"g":7,"half":1,"s":"s293"}'),('{"_id":"k224","n":288,"g":0,"half":0,"s":"s384"}'),('{"_id":"k225","n":325,"g":1,"half":1,"s":"s075"}'),('{"_id":"k226","n":362,"g":2,"half":0,"s":"s166"}'),('{"_id":"k227","n":399,"g":3,"half":1,"s":"s257"}'),('{"_id":"k228","n":36,"g":4,"half":0,"s":"s348"}'),('{"_id":"k229","n":73,"g":5,"half":1,"s":"s039"}'),('{"_id":"k230","n":110,"g":6,"half":0,"s":"s130"}'),('{"_id":"k231","n":147,"g":7,"half":1,"s":"s221"}'),('{"_id":"k232","n":184,"g":0,"half":0,"s":"s312"}'),('{"_id":"k233","n":221,"g":1,"half":1,"s":"s003"}'),('{"_id":"k234","n":258,"g":2,"half":0,"s":"s094"}'),('{"_id":"k235","n":295,"g":3,"half":1,"s":"s185"}'),('{"_id":"k236","n":332,"g":4,"half":0,"s":"s276"}'),('{"_id":"k237","n":369,"g":5,"half":1,"s":"s367"}'),('{"_id":"k238","n":6,"g":6,"half":0,"s":"s058"}'),('{"_id":"k239","n":43,"g":7,"half":1,"s":"s149"}'),
('{"_id":"k240","n":80,"g":0,"half":0,"s":"s240","rare":6}'),('{"_id":"k241","n":117,"g":1,"half":1,"s":"s331"}'),('{"_id":"k242","n":154,"g":2,"half":0,"s":"s022"}'),('{"_id":"k243","n":191,"g":3,"half":1,"s":"s113"}'),('{"_id":"k244","n":228,"g":4,"half":0,"s":"s204"}'),('{"_id":"k245","n":265,"g":5,"half":1,"s":"s295"}'),('{"_id":"k246","n":302,"g":6,"half":0,"s":"s386"}'),('{"_id":"k247","n":339,"g":7,"half":1,"s":"s077"}'),('{"_id":"k248","n":376,"g":0,"half":0,"s":"s168"}'),('{"_id":"k249","n":13,"g":1,"half":1,"s":"s259"}'),('{"_id":"k250","n":50,"g":2,"half":0,"s":"s350"}'),('{"_id":"k251","n":87,"g":3,"half":1,"s":"s041"}'),('{"_id":"k252","n":124,"g":4,"half":0,"s":"s132"}'),('{"_id":"k253","n":161,"g":5,"half":1,"s":"s223"}'),('{"_id":"k254","n":198,"g":6,"half":0,"s":"s314"}'),('{"_id":"k255","n":235,"g":7,"half":1,"s":"s005"}'),('{"_id":"k256","n":272,"g":0,"half":0,"s":"s096"}'),('{"_id":"k257","n":309,"g":1,"half":1,"s":"s187"}'),('{"_id":"k258","n":346,"g":2,"half":0,"s":"s278"}'),('{"_id":"k259","n":383,"g":3,"half":1,"s":"s369"}'),
('{"_id":"k260","n":20,"g":4,"half":0,"s":"s060"}'),('{"_id":"k261","n":57,"g":5,"half":1,"s":"s151"}'),('{"_id":"k262","n":94,"g":6,"half":0,"s":"s242"}'),('{"_id":"k263","n":131,"g":7,"half":1,"s":"s333"}'),('{"_id":"k264","n":168,"g":0,"half":0,"s":"s024"}'),('{"_id":"k265","n":205,"g":1,"half":1,"s":"s115"}'),('{"_id":"k266","n":242,"g":2,"half":0,"s":"s206"}'),('{"_id":"k267","n":279,"g":3,"half":1,"s":"s297"}'),('{"_id":"k268","n":316,"g":4,"half":0,"s":"s388"}'),('{"_id":"k269","n":353,"g":5,"half":1,"s":"s079"}'),('{"_id":"k270","n":390,"g":6,"half":0,"s":"s170"}'),('{"_id":"k271","n":27,"g":7,"half":1,"s":"s261"}'),('{"_id":"k272","n":64,"g":0,"half":0,"s":"s352"}'),('{"_id":"k273","n":101,"g":1,"half":1,"s":"s043"}'),('{"_id":"k274","n":138,"g":2,"half":0,"s":"s134"}'),('{"_id":"k275","n":175,"g":3,"half":1,"s":"s225"}'),('{"_id":"k276","n":212,"g":4,"half":0,"s":"s316"}'),('{"_id":"k277","n":249,"g":5,"half":1,"s":"s007"}'),('{"_id":"k278","n":286,"g":6,"half":0,"s":"s098"}'),('{"_id":"k279","n":323,"g":7,"half":1,"s":"s189"}'),
('{"_id":"k280","n":360,"g":0,"half":0,"s":"s280","rare":7}'),('{"_id":"k281","n":397,"g":1,"half":1,"s":"s371"}'),('{"_id":"k282","n":34,"g":2,"half":0,"s":"s062"}'),('{"_id":"k283","n":71,"g":3,"half":1,"s":"s153"}'),('{"_id":"k284","n":108,"g":4,"half":0,"s":"s244"}'),('{"_id":"k285","n":145,"g":5,"half":1,"s":"s335"}'),('{"_id":"k286","n":182,"g":6,"half":0,"s":"s026"}'),('{"_id":"k287","n":219,"g":7,"half":1,"s":"s117"}'),('{"_id":"k288","n":256,"g":0,"half":0,"s":"s208"}'),('{"_id":"k289","n":293,"g":1,"half":1,"s":"s299"}'),('{"_id":"k290","n":330,"g":2,"half":0,"s":"s390"}'),('{"_id":"k291","n":367,"g":3,"half":1,"s":"s081"}'),('{"_id":"k292","n":4,"g":4,"half":0,"s":"s172"}'),('{"_id":"k293","n":41,"g":5,"half":1,"s":"s263"}'),('{"_id":"k294","n":78,"g":6,"half":0,"s":"s354"}'),('{"_id":"k295","n":115,"g":7,"half":1,"s":"s045"}'),('{"_id":"k296","n":152,"g":0,"half":0,"s":"s136"}'),('{"_id":"k297","n":189,"g":1,"half":1,"s":"s227"}'),('{"_id":"k298","n":226,"g":2,"half":0,"s":"s318"}'),('{"_id":"k299","n":263,"g":3,"half":1,"s":"s009"}'),
('{"_id":"k300","n":300,"g":4,"half":0,"s":"s100"}'),('{"_id":"k301","n":337,"g":5,"half":1,"s":"s191"}'),('{"_id":"k302","n":374,"g":6,"half":0,"s":"s282"}'),('{"_id":"k303","n":11,"g":7,"half":1,"s":"s373"}'),('{"_id":"k304","n":48,"g":0,"half":0,"s":"s064"}'),('{"_id":"k305","n":85,"g":1,"half":1,"s":"s155"}'),('{"_id":"k306","n":122,"g":2,"half":0,"s":"s246"}'),('{"_id":"k307","n":159,"g":3,"half":1,"s":"s337"}'),('{"_id":"k308","n":196,"g":4,"half":0,"s":"s028"}'),('{"_id":"k309","n":233,"g":5,"half":1,"s":"s119"}'),('{"_id":"k310","n":270,"g":6,"half":0,"s":"s210"}'),('{"_id":"k311","n":307,"g":7,"half":1,"s":"s301"}'),('{"_id":"k312","n":344,"g":0,"half":0,"s":"s392"}'),('{"_id":"k313","n":381,"g":1,"half":1,"s":"s083"}'),('{"_id":"k314","n":18,"g":2,"half":0,"s":"s174"}'),('{"_id":"k315","n":55,"g":3,"half":1,"s":"s265"}'),('{"_id":"k316","n":92,"g":4,"half":0,"s":"s356"}'),('{"_id":"k317","n":129,"g":5,"half":1,"s":"s047"}'),('{"_id":"k318","n":166,"g":6,"half":0,"s":"s138"}'),('{"_id":"k319","n":203,"g":7,"half":1,"s":"s229"}'),
('{"_id":"k320","n":240,"g":0,"half":0,"s":"s320","rare":8}'),('{"_id":"k321","n":277,"g":1,"half":1,"s":"s011"}'),('{"_id":"k322","n":314,"g":2,"half":0,"s":"s102"}'),('{"_id":"k323","n":351,"g":3,"half":1,"s":"s193"}'),('{"_id":"k324","n":388,"g":4,"half":0,"s":"s284"}'),('{"_id":"k325","n":25,"g":5,"half":1,"s":"s375"}'),('{"_id":"k326","n":62,"g":6,"half":0,"s":"s066"}'),('{"_id":"k327","n":99,"g":7,"half":1,"s":"s157"}'),('{"_id":"k328","n":136,"g":0,"half":0,"s":"s248"}'),('{"_id":"k329","n":173,"g":1,"half":1,"s":"s339"}'),('{"_id":"k330","n":210,"g":2,"half":0,"s":"s030"}'),('{"_id":"k331","n":247,"g":3,"half":1,"s":"s121"}'),('{"_id":"k332","n":284,"g":4,"half":0,"s":"s212"}'),('{"_id":"k333","n":321,"g":5,"half":1,"s":"s303"}'),('{"_id":"k334","n":358,"g":6,"half":0,"s":"s394"}'),('{"_id":"k335","n":395,"g":7,"half":1,"s":"s085"}'),('{"_id":"k336","n":32,"g":0,"half":0,"s":"s176"}'),('{"_id":"k337","n":69,"g":1,"half":1,"s":"s267"}'),('{"_id":"k338","n":106,"g":2,"half":0,"s":"s358"}'),('{"_id":"k339","n":143,"g":3,"half":1,"s":"s049"}'),
('{"_id":"k340","n":180,"g":4,"half":0,"s":"s140"}'),('{"_id":"k341","n":217,"g":5,"half":1,"s":"s231"}'),('{"_id":"k342","n":254,"g":6,"half":0,"s":"s322"}'),('{"_id":"k343","n":291,"g":7,"half":1,"s":"s013"}'),('{"_id":"k344","n":328,"g":0,"half":0,"s":"s104"}'),('{"_id":"k345","n":365,"g":1,"half":1,"s":"s195"}'),('{"_id":"k346","n":2,"g":2,"half":0,"s":"s286"}'),('{"_id":"k347","n":39,"g":3,"half":1,"s":"s377"}'),('{"_id":"k348","n":76,"g":4,"half":0,"s":"s068"}'),('{"_id":"k349","n":113,"g":5,"half":1,"s":"s159"}'),('{"_id":"k350","n":150,"g":6,"half":0,"s":"s250"}'),('{"_id":"k351","n":187,"g":7,"half":1,"s":"s341"}'),('{"_id":"k352","n":224,"g":0,"half":0,"s":"s032"}'),('{"_id":"k353","n":261,"g":1,"half":1,"s":"s123"}'),('{"_id":"k354","n":298,"g":2,"half":0,"s":"s214"}'),('{"_id":"k355","n":335,"g":3,"half":1,"s":"s305"}'),('{"_id":"k356","n":372,"g":4,"half":0,"s":"s396"}'),('{"_id":"k357","n":9,"g":5,"half":1,"s":"s087"}'),('{"_id":"k358","n":46,"g":6,"half":0,"s":"s178"}'),('{"_id":"k359","n":83,"g":7,"half":1,"s":"s269"}'),
('{"_id":"k360","n":120,"g":0,"half":0,"s":"s360","rare":9}'),('{"_id":"k361","n":157,"g":1,"half":1,"s":"s051"}'),('{"_id":"k362","n":194,"g":2,"half":0,"s":"s142"}'),('{"_id":"k363","n":231,"g":3,"half":1,"s":"s233"}'),('{"_id":"k364","n":268,"g":4,"half":0,"s":"s324"}'),('{"_id":"k365","n":305,"g":5,"half":1,"s":"s015"}'),('{"_id":"k366","n":342,"g":6,"half":0,"s":"s106"}'),('{"_id":"k367","n":379,"g":7,"half":1,"s":"s197"}'),('{"_id":"k368","n":16,"g":0,"half":0,"s":"s288"}'),('{"_id":"k369","n":53,"g":1,"half":1,"s":"s379"}'),('{"_id":"k370","n":90,"g":2,"half":0,"s":"s070"}'),('{"_id":"k371","n":127,"g":3,"half":1,"s":"s161"}'),('{"_id":"k372","n":164,"g":4,"half":0,"s":"s252"}'),('{"_id":"k373","n":201,"g":5,"half":1,"s":"s343"}'),('{"_id":"k374","n":238,"g":6,"half":0,"s":"s034"}'),('{"_id":"k375","n":275,"g":7,"half":1,"s":"s125"}'),('{"_id":"k376","n":312,"g":0,"half":0,"s":"s216"}'),('{"_id":"k377","n":349,"g":1,"half":1,"s":"s307"}'),('{"_id":"k378","n":386,"g":2,"half":0,"s":"s398"}'),('{"_id":"k379","n":23,"g":3,"half":1,"s":"s089"}'),
('{"_id":"k380","n":60,"g":4,"half":0,"s":"s180"}'),('{"_id":"k381","n":97,"g":5,"half":1,"s":"s271"}'),('{"_id":"k382","n":134,"g":6,"half":0,"s":"s362"}'),('{"_id":"k383","n":171,"g":7,"half":1,"s":"s053"}'),('{"_id":"k384","n":208,"g":0,"half":0,"s":"s144"}'),('{"_id":"k385","n":245,"g":1,"half":1,"s":"s235"}'),('{"_id":"k386","n":282,"g":2,"half":0,"s":"s326"}'),('{"_id":"k387","n":319,"g":3,"half":1,"s":"s017"}'),('{"_id":"k388","n":356,"g":4,"half":0,"s":"s108"}'),('{"_id":"k389","n":393,"g":5,"half":1,"s":"s199"}'),('{"_id":"k390","n":30,"g":6,"half":0,"s":"s290"}'),('{"_id":"k391","n":67,"g":7,"half":1,"s":"s381"}'),('{"_id":"k392","n":104,"g":0,"half":0,"s":"s072"}'),('{"_id":"k393","n":141,"g":1,"half":1,"s":"s163"}'),('{"_id":"k394","n":178,"g":2,"half":0,"s":"s254"}'),('{"_id":"k395","n":215,"g":3,"half":1,"s":"s345"}'),('{"_id":"k396","n":252,"g":4,"half":0,"s":"s036"}'),('{"_id":"k397","n":289,"g":5,"half":1,"s":"s127"}'),('{"_id":"k398","n":326,"g":6,"half":0,"s":"s218"}'),('{"_id":"k399","n":363,"g":7,"half":1,"s":"s309"}')
----
ok, 400 rows

# What ORDER BY with LIMIT reads: the figures behind each statement are its own.

# A keypath, either way.

query
EXPLAIN FORMAT=TREE SELECT _id, s, g FROM t ORDER BY n LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Project: t._id, t.s, t.g
        -> Index range scan on t using n
             range: `n` in all values
             order: `n`: cost 6.2, sorting costs 463.4
             ends after: 3
             keys: about 3 of 400
             tight
             cost: 6.2, a full scan costs 400.0

query
SELECT _id, s, g FROM t ORDER BY n LIMIT 3
----
_id | s | g
k000 | s000 | 0
k173 | s143 | 5
k346 | s286 | 2

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 3
sqlfdb_last_keys | 3

query
SELECT _id, s FROM t ORDER BY n DESC LIMIT 3
----
_id | s
k227 | s257
k054 | s114
k281 | s371

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 3
sqlfdb_last_keys | 3

# What is skipped is not fetched.

query
EXPLAIN FORMAT=TREE SELECT _id, g, n FROM t ORDER BY n LIMIT 2 OFFSET 200
----
EXPLAIN
-> Limit: 2 rows
    -> Index range scan on t using n
         range: `n` in all values
         order: `n`: cost 14.1, sorting costs 706.3
         skipped without being fetched: 200
         ends after: 2
         keys: about 202 of 400
         tight
         cost: 14.1, a full scan costs 400.0

query
SELECT _id, g, n FROM t ORDER BY n LIMIT 2 OFFSET 200
----
_id | g | n
k200 | 0 | 200
k373 | 5 | 201

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 2
sqlfdb_last_keys | 202

# A range on the same keypath.

query
EXPLAIN FORMAT=TREE SELECT _id, g, n FROM t WHERE n > 200 ORDER BY n LIMIT 2
----
EXPLAIN
-> Limit: 2 rows
    -> Index range scan on t using n
         range: `n` in (200, +∞)
         order: `n`: cost 4.1, sorting costs 419.9
         ends after: 2
         keys: about 2 of 199
         tight
         cost: 4.1, a full scan costs 400.0

query
SELECT _id, g, n FROM t WHERE n > 200 ORDER BY n LIMIT 2
----
_id | g | n
k373 | 5 | 201
k146 | 2 | 202

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 2
sqlfdb_last_keys | 2

# The entries of one value are in the order of primary keys.

query
EXPLAIN FORMAT=TREE SELECT _id, n FROM t WHERE g = 3 ORDER BY _id DESC LIMIT 2
----
EXPLAIN
-> Limit: 2 rows
    -> Project: t._id, t.n
        -> Index lookup on t using g
             range: `g` in 3
             order: primary key descending within one value of `g`: cost 4.1, sorting costs 107.5
             ends after: 2
             keys: about 2 of 50
             tight
             cost: 4.1, a full scan costs 400.0
             lost: order by primary key descending: cost 31.5, the chosen one costs 4.1

query
SELECT _id, n FROM t WHERE g = 3 ORDER BY _id DESC LIMIT 2
----
_id | n
k395 | 215
k387 | 319

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 2
sqlfdb_last_keys | 2

# Another keypath's documents are known before any is fetched.

query
EXPLAIN FORMAT=TREE SELECT _id, g, n FROM t WHERE g = 3 ORDER BY n LIMIT 2
----
EXPLAIN
-> Limit: 2 rows
    -> The first of these, given up for the second: once it has cost 107.5
        -> Index range scan on t using n
             range: `n` in all values
             order: `n` among `g`: cost 15.6, sorting costs 107.5
             only those among: `g` in 3
             ends after: 2
             keys: about 16 of 400
             tight
             cost: 15.6, a full scan costs 400.0
             lost: order by `n`: cost 66.0, the chosen one costs 15.6
        -> Sort: t.n, keep 2
            -> Index lookup on t using g
                 range: `g` in 3
                 keys: 50 counted of 400
                 tight
                 cost: 102.5, a full scan costs 400.0

query
SELECT _id, g, n FROM t WHERE g = 3 ORDER BY n LIMIT 2
----
_id | g | n
k011 | 3 | 7
k195 | 3 | 15

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 2
sqlfdb_last_keys | 66

# Primary keys.

query
EXPLAIN FORMAT=TREE SELECT _id, n FROM t ORDER BY _id DESC LIMIT 2
----
EXPLAIN
-> Limit: 2 rows
    -> Table scan on t
         order: primary key descending: cost 2.0, sorting costs 440.0
         ends after: 2
         keys: about 2 of 400
         documents: 400, exactly

query
SELECT _id, n FROM t ORDER BY _id DESC LIMIT 2
----
_id | n
k399 | 363
k398 | 326

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 2
sqlfdb_last_keys | 0

query
SELECT _id, n FROM t WHERE _id > 'k100' ORDER BY _id LIMIT 2
----
_id | n
k101 | 137
k102 | 174

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 2
sqlfdb_last_keys | 0

# No document is needed where the entries tell all.

query
EXPLAIN FORMAT=TREE SELECT n FROM t ORDER BY n DESC LIMIT 3 OFFSET 2
----
EXPLAIN
-> Limit: 3 rows
    -> Project: t.n
        -> Index range scan on t using n
             range: `n` in all values
             entries only: no document is read
             order: `n` descending: cost 0.2, sorting costs 492.9
             skipped without being fetched: 2
             ends after: 3
             keys: about 5 of 400
             tight
             cost: 0.2, a full scan costs 400.0

query
SELECT n FROM t ORDER BY n DESC LIMIT 3 OFFSET 2
----
n
397
396
395

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 5

# Documents that lack the keypath come last when descending, and first when not.

query
EXPLAIN FORMAT=TREE SELECT _id, rare FROM t ORDER BY rare DESC LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Index range scan on t using rare
         range: `rare` in all values
         order: `rare` descending: cost 6.2, sorting costs 463.4
         behind them: 390 documents without the keypath
         ends after: 3
         keys: about 3 of 10
         tight
         cost: 6.2, a full scan costs 400.0

query
SELECT _id, rare FROM t ORDER BY rare DESC LIMIT 3
----
_id | rare
k360 | 9
k320 | 8
k280 | 7

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 3
sqlfdb_last_keys | 3

query
EXPLAIN FORMAT=TREE SELECT _id, rare FROM t ORDER BY rare, _id LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Index range scan on t using rare
         range: `rare` in all values
         order: `rare`: cost 3.1, sorting costs 463.4
         before them: 390 documents without the keypath
         ends after: 3
         keys: about 3 of 10
         tight
         cost: 3.1, a full scan costs 400.0

query
SELECT _id, rare FROM t ORDER BY rare, _id LIMIT 3
----
_id | rare
k001 | NULL
k002 | NULL
k003 | NULL

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 4
sqlfdb_last_keys | 0

query
SELECT _id, rare FROM t ORDER BY rare DESC LIMIT 2 OFFSET 8
----
_id | rare
k040 | 1
k000 | 0

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 2
sqlfdb_last_keys | 10

# Within equal values of the first, rows are sorted by the second.

query near
EXPLAIN FORMAT=TREE SELECT _id, half, n FROM t WHERE n < 40 ORDER BY half, n LIMIT 2
----
EXPLAIN
-> Limit: 2 rows
    -> The first of these, given up for the second: where it has fewer rows than 2
        -> The first of these, given up for the second: once it has cost 61.0
            -> Filter: (t.half = 0)
                -> Index range scan on t using n
                     range: `n` in (-∞, 40)
                     order: `n`: cost 16.4, sorting costs 61.0
                     keys: about 8 of 40
                     tight
                     residual: (t.half = 0)
                     cost: 16.4, a full scan costs 400.0
                     lost: order by `n` among `half`: cost 44.4, the chosen one costs 16.4
            -> Sort: t.n, keep 2
                -> Intersection of index ranges on t using n, half
                     range: `n` in (-∞, 40)
                     range: `half` in 0
                     keys: about 240 of 800
                     tight
                     cost: 59.0, a full scan costs 400.0
                     lost: `half` in 0, keys: 200 counted of 400: cost 410.0, an intersection costs 59.0
                     lost: `n` in (-∞, 40), keys: 40 counted of 400: cost 82.0, an intersection costs 59.0
        -> Sort: t.half, t.n, keep 2
            -> Index range scan on t using n
                 range: `n` in (-∞, 40)
                 keys: 40 counted of 400
                 tight
                 cost: 82.0, a full scan costs 400.0

query
SELECT _id, half, n FROM t WHERE n < 40 ORDER BY half, n LIMIT 2
----
_id | half | n
k000 | 0 | 0
k346 | 0 | 2

query near
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 4
sqlfdb_last_keys | 9

query near
EXPLAIN FORMAT=TREE SELECT _id, g, n FROM t ORDER BY g, n LIMIT 2
----
EXPLAIN
-> Limit: 2 rows
    -> The first of these, given up for the second: where it has fewer rows than 2
        -> The first of these, given up for the second: once it has cost 107.5
            -> Index range scan on t using n
                 range: `n` in all values
                 order: `n` among `g`: cost 15.6, sorting costs 107.5
                 only those among: `g` in 0
                 ends after: 2
                 keys: about 16 of 400
                 tight
                 cost: 15.6, a full scan costs 400.0
                 lost: order by `n`: cost 66.0, the chosen one costs 15.6
            -> Sort: t.n, keep 2
                -> Index lookup on t using g
                     range: `g` in 0
                     keys: 50 counted of 400
                     tight
                     cost: 102.5, a full scan costs 400.0
        -> Sort within equal t.g: t.g, t.n
            -> Index range scan on t using g
                 range: `g` in all values
                 order: `g`, then sorted within equal values: cost 135.9, sorting costs 440.0
                 keys: about 52 of 400
                 tight
                 cost: 135.9, a full scan costs 400.0

query
SELECT _id, g, n FROM t ORDER BY g, n LIMIT 2
----
_id | g | n
k000 | 0 | 0
k184 | 0 | 8

query near
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 3
sqlfdb_last_keys | 60

# Keyset paging: as many keys as rows.

query
EXPLAIN FORMAT=TREE SELECT _id, g FROM t WHERE (g, _id) > (3, 'k200') ORDER BY g, _id LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Index range scan on t using g
         range: `g` in [3, +∞)
         entries only: no document is read
         order: `g`: cost 0.2, sorting costs 52.1
         primary keys are bounded within a value
         ends after: 3
         keys: about 3 of 250
         tight
         cost: 0.2, a full scan costs 400.0

query
SELECT _id, g FROM t WHERE (g, _id) > (3, 'k200') ORDER BY g, _id LIMIT 3
----
_id | g
k203 | 3
k211 | 3
k219 | 3

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 3

query
EXPLAIN FORMAT=TREE SELECT _id, g, s FROM t WHERE g < 3 OR (g = 3 AND _id < 'k200') ORDER BY g DESC, _id DESC LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Index range scan on t using g
         range: `g` in (-∞, 3]
         order: `g` descending: cost 6.2, sorting costs 431.7
         primary keys are bounded within a value
         ends after: 3
         keys: about 3 of 200
         tight
         cost: 6.2, a full scan costs 400.0

query
SELECT _id, g, s FROM t WHERE g < 3 OR (g = 3 AND _id < 'k200') ORDER BY g DESC, _id DESC LIMIT 3
----
_id | g | s
k195 | 3 | s145
k187 | 3 | s217
k179 | 3 | s289

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 3
sqlfdb_last_keys | 3

# A LIMIT without an order.

query
EXPLAIN FORMAT=TREE SELECT _id, n FROM t WHERE g = 3 LIMIT 2 OFFSET 10
----
EXPLAIN
-> Limit: 2 rows
    -> Project: t._id, t.n
        -> Index lookup on t using g
             range: `g` in 3
             skipped without being fetched: 10
             ends after: 2
             keys: 50 counted of 400
             tight
             cost: 102.5, a full scan costs 400.0

query
SELECT _id, n FROM t WHERE g = 3 LIMIT 2 OFFSET 10
----
_id | n
k083 | 271
k091 | 167

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 2
sqlfdb_last_keys | 12

query
SELECT _id, n FROM t LIMIT 2 OFFSET 300
----
_id | n
k300 | 300
k301 | 337

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 2
sqlfdb_last_keys | 300

# Below a derived table, in the parts of a UNION, in a subquery.

query
EXPLAIN FORMAT=TREE SELECT x FROM (SELECT n AS x, s FROM t) AS q ORDER BY x LIMIT 2
----
EXPLAIN
-> Limit: 2 rows
    -> Project: t.n as x
        -> Index range scan on t using n
             range: `n` in all values
             entries only: no document is read
             order: `n`: cost 4.1, sorting costs 440.0
             ends after: 2
             keys: about 2 of 400
             tight
             cost: 4.1, a full scan costs 400.0

query
SELECT x FROM (SELECT n AS x, s FROM t) AS q ORDER BY x LIMIT 2
----
x
0
1

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 2

query
(SELECT _id, s FROM t ORDER BY n LIMIT 1) UNION ALL (SELECT _id, s FROM t ORDER BY n DESC LIMIT 1)
----
_id | s
k000 | s000
k227 | s257

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 2
sqlfdb_last_keys | 2

query
SELECT (SELECT s FROM t ORDER BY n DESC LIMIT 1) AS last
----
last
s257

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 2
sqlfdb_last_keys | 2

# A path into the document, in which a JSON null is a value.

query
EXPLAIN FORMAT=TREE SELECT _id FROM t ORDER BY _doc->'$.n' DESC LIMIT 2
----
EXPLAIN
-> Limit: 2 rows
    -> Project: t._id
        -> Index range scan on t using n
             range: $.n in all values
             order: $.n descending: cost 4.1, sorting costs 440.0
             ends after: 2
             keys: about 2 of 400
             tight
             cost: 4.1, a full scan costs 400.0

query
SELECT _id FROM t ORDER BY _doc->'$.n' DESC LIMIT 2
----
_id
k227
k054

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 2
sqlfdb_last_keys | 2

# Few rows are sorted.

query
EXPLAIN FORMAT=TREE SELECT _id, g, n FROM t WHERE n IN (5, 7, 3) ORDER BY g LIMIT 2
----
EXPLAIN
-> Limit: 2 rows
    -> Sort: t.g, keep 2
        -> Index range scan on t using n
             range: `n` in 3, 5, 7
             keys: 3 counted of 400
             tight
             cost: 6.1, a full scan costs 400.0

query
SELECT _id, g, n FROM t WHERE n IN (5, 7, 3) ORDER BY g LIMIT 2
----
_id | g | n
k065 | 1 | 5
k011 | 3 | 7

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 3
sqlfdb_last_keys | 3

# UPDATE and DELETE in an order.

query
EXPLAIN FORMAT=TREE UPDATE t SET g = 100 WHERE half = 1 ORDER BY n DESC LIMIT 2
----
EXPLAIN
-> Update
    -> Set: t.g = 100
        -> Limit: 2 rows
            -> Filter: (t.half = 1)
                -> Index range scan on t using n
                     range: `n` in all values
                     order: `n` descending: cost 16.8, sorting costs 420.0
                     keys: about 8 of 400
                     tight
                     residual: (t.half = 1)
                     cost: 16.8, a full scan costs 400.0
                     lost: order by `n` descending among `half`: cost 44.4, the chosen one costs 16.8

exec
UPDATE t SET g = 100 WHERE half = 1 ORDER BY n DESC LIMIT 2
----
ok, 2 rows

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 3
sqlfdb_last_keys | 8

query
SELECT _id, n, g FROM t WHERE g = 100 ORDER BY n
----
_id | n | g
k281 | 397 | 100
k227 | 399 | 100

query
EXPLAIN FORMAT=TREE DELETE FROM t ORDER BY n LIMIT 2
----
EXPLAIN
-> Delete
    -> Limit: 2 rows
        -> Index range scan on t using n
             range: `n` in all values
             order: `n`: cost 4.1, sorting costs 440.0
             ends after: 2
             keys: about 2 of 400
             tight
             cost: 4.1, a full scan costs 400.0

exec
DELETE FROM t ORDER BY n LIMIT 2
----
ok, 2 rows

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 2
sqlfdb_last_keys | 2

query
SELECT _id, n FROM t ORDER BY n LIMIT 2
----
_id | n
k346 | 2
k119 | 3

# A transaction's own writes are in the order.

exec
BEGIN;
INSERT INTO t (_id, n, g) VALUES ('new', -5, 1);
UPDATE t SET n = -4 WHERE _id = 'k300'
----
ok, 0 rows
ok, 1 rows
ok, 1 rows

query
SELECT _id, n FROM t ORDER BY n LIMIT 3
----
_id | n
new | -5
k300 | -4
k346 | 2

exec
ROLLBACK
----
ok, 0 rows

query
SELECT _id, n FROM t ORDER BY n LIMIT 2
----
_id | n
k346 | 2
k119 | 3

# Strings longer than what is indexed, and what has no order of its own in the index.

exec
CREATE TABLE long_ones (_id VARCHAR(255) PRIMARY KEY, _doc JSON) ENGINE_ATTRIBUTE='{"string_limit":8}'
----
ok, 0 rows

exec
INSERT INTO long_ones (_doc) VALUES ('{"_id":"1","s":"abcdefghij-z","j":[2]}'), ('{"_id":"2","s":"abcdefghij-a","j":[1]}'), ('{"_id":"3","s":"abc","j":{"a":2}}'), ('{"_id":"4","s":"abcdefghij-m","j":{"a":1}}'), ('{"_id":"5","s":"b","j":true}'), ('{"_id":"6","s":null,"j":7}')
----
ok, 6 rows

query
SELECT _id, s FROM long_ones ORDER BY s LIMIT 4
----
_id | s
6 | NULL
3 | abc
2 | abcdefghij-a
4 | abcdefghij-m

query
SELECT _id, s FROM long_ones ORDER BY s DESC LIMIT 2 OFFSET 2
----
_id | s
4 | abcdefghij-m
2 | abcdefghij-a

query
SELECT _id, j FROM long_ones ORDER BY j
----
_id | j
6 | 7
4 | {"a":1}
3 | {"a":2}
2 | [1]
1 | [2]
5 | true

query
SELECT _id, j FROM long_ones ORDER BY j DESC LIMIT 4
----
_id | j
5 | true
1 | [2]
2 | [1]
3 | {"a":2}

# The feed of changes is in the order of seq.

exec
CREATE TABLE fed (_id VARCHAR(255) PRIMARY KEY, _doc JSON)
----
ok, 0 rows

exec
INSERT INTO fed (_id, n) VALUES ('a', 1);
INSERT INTO fed (_id, n) VALUES ('b', 2);
INSERT INTO fed (_id, n) VALUES ('c', 3);
DELETE FROM fed WHERE _id = 'b'
----
ok, 1 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows

query
EXPLAIN FORMAT=TREE SELECT _id, deleted FROM fed__changes ORDER BY seq DESC LIMIT 2
----
EXPLAIN
-> Limit: 2 rows
    -> Project: fed__changes._id, fed__changes.deleted
        -> Index scan on fed__changes using seq
             entries only: no document is read
             from the last to the first
             at most 2 keys

query
SELECT _id, deleted FROM fed__changes ORDER BY seq DESC LIMIT 2
----
_id | deleted
b | 1
c | 0

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 2

query
SELECT _id, _doc FROM fed__changes ORDER BY seq LIMIT 1
----
_id | _doc
a | {"_id":"a","n":1}

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 1
sqlfdb_last_keys | 1

query
SELECT _id FROM fed__changes WHERE seq > (SELECT MIN(seq) FROM fed__changes) ORDER BY seq DESC
----
_id
b
c

query
SELECT _id FROM fed__changes WHERE seq > '00000000000000000000000000' ORDER BY seq DESC LIMIT 1
----
_id
b

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 1

# Without a primary key nothing is in the order of what follows the first field.
exec
CREATE TABLE keyless (a INT, b INT, n INT, _doc JSON);
INSERT INTO keyless (a, b, n) WITH RECURSIVE c (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < 199) SELECT MOD(i * 7, 50), 200 - i, FLOOR(i / 40) FROM c
----
ok, 0 rows
ok, 200 rows

query
SELECT a, b FROM keyless ORDER BY a, b LIMIT 5
----
a | b
0 | 50
0 | 100
0 | 150
0 | 200
1 | 7

query
SELECT n, a, b FROM keyless ORDER BY n DESC, a DESC, b DESC LIMIT 5 OFFSET 2
----
n | a | b
4 | 46 | 22
4 | 45 | 15
4 | 44 | 8
4 | 43 | 1
4 | 41 | 37

query
SELECT n, a, b FROM keyless WHERE n > 2 OR (n = 2 AND a > 40) ORDER BY n, a, b LIMIT 5
----
n | a | b
2 | 41 | 87
2 | 42 | 94
2 | 43 | 101
2 | 44 | 108
2 | 45 | 115

# -0 keeps its sign behind an OFFSET, whether the index leaves rows out or a sort does.

exec
CREATE TABLE zeros (_id INT PRIMARY KEY, _doc JSON);
INSERT INTO zeros (_doc) VALUES ('{"_id":1,"n":-0.0,"m":1}'), ('{"_id":2,"n":-0.0,"m":2}'), ('{"_id":3,"n":0.5,"m":3}')
----
ok, 0 rows
ok, 3 rows

query
SELECT n FROM zeros ORDER BY _id LIMIT 1 OFFSET 1
----
n
-0

query
SELECT n FROM zeros ORDER BY m + 1 LIMIT 1 OFFSET 1
----
n
-0

query
SELECT n FROM zeros LIMIT 2 OFFSET 1
----
n
-0
0.5

# Bounds on the primary key that exclude each other, within one value.

exec
CREATE TABLE within_one (id INT PRIMARY KEY, a INT, s VARCHAR(40));
INSERT INTO within_one VALUES (1, 3, 'ab'), (4, 3, 'ab'), (5, 3, 'b')
----
ok, 0 rows
ok, 3 rows

query
SELECT a FROM within_one WHERE s <=> 'ab' AND id > 2 AND id < 1 ORDER BY id
----
a

query
SELECT a FROM within_one WHERE s = 'ab' AND id > 2 AND id < 1 ORDER BY id DESC LIMIT 3
----
a

query
SELECT MIN(id), MAX(id), COUNT(*) FROM within_one WHERE s = 'ab' AND id > 2 AND id < 1
----
MIN(id) | MAX(id) | COUNT(*)
NULL | NULL | 0

query
SELECT id FROM within_one WHERE s = 'ab' AND id > 1 AND id < 5 ORDER BY id DESC LIMIT 3
----
id
4

query
SELECT EXISTS (SELECT 1 FROM within_one WHERE s = 'ab' AND id > 2 AND id < 1) AS e
----
e
0
