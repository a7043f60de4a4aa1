BEFORE("readings", { { { 0 } } }, "9cc980", ""
	"6b6c25eebd76c239bd6866b0784b18867c2e37602efbfd2dd0d66fa8c4a3fa3994720f53421e3c1e2848b0f194dee4a53948f7916582980c18"
	"563d2cb47f30881a0e1a988ed51df1995645772dd48c385a2d2aeb9c43c023860ed664f9cad5b1d623b46be7c2794519bc310500f0b15d7b63"
	"2dee9b0b58a7ce891d7fd50bf38addeadd1485a24f0819210298c5d13b1c693150571e7b7bf891c5ed8d68a5688affe19e44fb3cd1fd884749"
	"38b857f3507eb759a2058066182970")
BEFORE("wlr93-table1", { { { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 23, 0, 3, 0, 1 } } }, "7d32ab", ""
	"440967cdc0a33f3da6fcb77ce385f6a970155b1f411c4c05ff3f971dffe358c64b0285beb46f54374fbecc6d34a3b5eb371c411e6cfb1140c8"
	"b361f7bd770eb2aa17486f43be7fefd3ff9dbb825266df8488f1089806b3bf8e943564e362615790ef484b42221c316f3f00890c195f7c4efb"
	"9fd4ae894523bbc74293f76e2dbf7b1cfae43f0b0aa2523bbbb10bd6706edb280a96d100988a31f158c4d4e989d5ca1ae369eebf4e51cf3430"
	"01f4b7c035e64f80ee27ec29c4e5848a08f6e02222bac8ac5e9f8f22f59edf1e74eff80372d420327dbf12ce1e410d906074e2524daa5b1765"
	"4951bbd20150")
BEFORE("wlr93-examples", { { { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 18, 0, 3, 0, 1 }, { 0, 0, 0, 0, 0 }, { 8, 0, 0, 0, 0 }, { 8, 0, 0, 0, 0 } } }, "254a0c", ""
	"8e06214936196cb48aeb40ecf29de14061c8dca7a46fbde88d2574ee3fba3f4750ed1c2aa61b58afb5a992ac737fd5b3a670941b6bdf770ebf"
	"066ae66826bd2a43452b7c3c783145253ce174327c068d51f7070614a22200434fbc2dbad16a1314b38e7adac498159fe01dd18f71a28a93fc"
	"a7299905f6ae6878d792c47b324847243282f3066d071efc8c50ea93e47220b552f6de38")
BEFORE("wlr93-table3", { { { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 14, 7, 0, 0, 0 } } }, "bede12", ""
	"a33f2c002a7da6515fa030a7dcd8828598f1e10660")
BEFORE("wlr93-table4", { { { 0, 0, 0, 0, 0 }, { 0, 10, 0, 1, 11 }, { 0, 6, 0, 2, 1 }, { 0, 9, 3, 2, 4 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 5, 0, 0, 0, 1 }, { 2, 0, 0, 0, 1 } } }, "a01f0b", ""
	"1bb772f95db13d822f008de13cdad99a8a580aca69b62fe09c860816a892a7c8fb99860c87bbcfb8952b4d08a76fd53df88ae670b4c1")
BEFORE("wlr93-table5", { { { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 3, 0, 1, 0, 0 } } }, "76f37a", ""
	"891256e39e0bc469fd695b73bfacb8fc6f74096ba76a494a2985694507539bb4c5aa82a139c8c158fe8f627d82225117fd1e817244f732353c"
	"7c4f66")
BEFORE("wlr93-update", { { { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 3, 0, 0, 0, 1 } } }, "cef23c", ""
	"3e041a6f12f9cde58ef2ebeaa054ca0f422bac8a2ec4fdc0dbdf977dc61681bf59d753ca37ed0f944b7cfcfae91b60ec702475639ab56396db"
	"30f52704fec3fb2dbc575f7becfed321862677f1458d87b9c5124e37da9eaa87a48b8085aefa6e3e8d02ac1ed0f9a54ad85f77a33b62c4c2d2"
	"2a184d6f1627272880ab799a54aa330983ae7732a43a2f2f431f977289c6")
BEFORE("wlr93-fig6", { { { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 4, 0, 0, 0, 2 } } }, "061b32", ""
	"e31cbcf07d794d034b1db2c448b04b7ce3c50cdb1d6ecd405dbba6c19e90eaebdaeb7dfe95a9248e9d93036b35d41f8d28fe77037c23edac5b"
	"702212018f62b1b37aa6054ee934d031b6d3e8bd78fd59bc902f6b09de38e331440d1173ea73a7d0b914c83faf511442bc62dc")
BEFORE("wlr93-fig7", { { { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 8, 0, 0, 0, 2 } } }, "041b79", ""
	"3c2084d22db27667ec420cc4cf57d858b02e29b65a1acea8b7776504c3350e386c02b2ae4a3dd006ff2c5db59c241c82dce3b8d1677df73878"
	"21b196a9f1a8fb6f7850423c637cdad80e81e4dee604227818075ef10bce371a1ee229a35db710dd7435f790b8006877811dd07e7750551f74"
	"206333e3d4ad28be192c190fe33046fa85c0bef71d38872ff84f59f1d01e02ce08f579193b3e80fe05cddf4569350f391f19cb5e794040b8fe"
	"16db9e87edfc24c800849b7fa9d9a41d8cdb25d67d64e015329d0ec0129e9633119f7317bce868f6c958a05211166a3eb40d14e9c77922ad5c"
	"06f9b4")
BEFORE("wlr93-fig8", { { { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 8, 0, 0, 0, 4 } } }, "4bb0dc", ""
	"ea375ad81e1cc68711cb2d163e1939f77c9b148ec551c13c5e140352500c3ca6aef87b42dbff382a08467bd7f61324a5414841ed75b3abc579"
	"8af52d965f6547e44ea160548102acd5685ff1d3681380f62cbf32c72c312bc7cc6729b676d103d8caa51f4bb0d47a2b9a30a009db102ca16d"
	"9786feb8b552300c70")
BEFORE("wlr93-scale", { { { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 2, 0, 0, 0, 0 } } }, "780740", ""
	"4e82b3a4757355b6287a179dffcd58beb44a1e036e32a6053213d303e894e0337ab5033f22ce6a1c218705ce71749aa4c62ae3c9725ce92d03"
	"fc1938728ccf1bd1d8937450fe9484ebc37d7da31df71ca62b4fb6bb63e2c6c31233e91ada9101c9807504bdd86b79a7626759cfe7da53743e"
	"fffdbf")
BEFORE("wlr93-topology", { { { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 1, 0, 0, 0, 0 } } }, "a75b7f", ""
	"1dcf21647ddd54a1146fc5d641479aae140efe0ba4965074aa8e8dddf3e8a4f926aae3e0f2895e54e93ad5a1c30eea80cb23fa20ffa4673011"
	"9c8302eee699ab4303f1b9edc43242b56e8aa87d99376cfcb111b6446853cb1fe6d172c258c413e7fec703aee260f0ed70895d6984b2991e74"
	"96e7020ceaa43a152d6cda0494ba543136e3f26ec505cb7da0651af7356e83be9b")
BEFORE("wlr93-latency", { { { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 2, 0, 0, 0, 0 } } }, "514dfc", ""
	"5a122baa6d1371ce2be0dd38c17e43351436a84d5b904a94cd1217e4d573eadc18364d2a0a9b5b2575f73640f7416266c58d546bbff56af2b5"
	"799b446088fe")
BEFORE("wlr93-spike", { { { 0 } } }, "73b1a8", ""
	"df896f2ea6739bccf17ea5953ac0533a6b78b2699a938034a4f2de628af0b576776e62e25c3551d2833d")
BEFORE("wlr93-readings", { { { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 54, 0, 0, 62 } } }, "b2334b", ""
	"2a612b0c8154a4ccdc1ce5409e1d1a73f15fc4bd88d5a1b995d336de7448382c11af09e967c2d80be772e04db2f752cbaa5aa1ee987f5aea98"
	"cc0c4ef38e844f88fc483e416b72c30305b364d9ab684fbedba19ba9328ae38cf24f3893d936f9159ab4538dccd7d7dd78357ccec16cf2d155"
	"511096bc8573d285d0113cf761986adad8576a4aeff54e9e479a1ffd8351cef364665102fe396e06a23f58975ccbf78ed540ec27b1a767a01b"
	"44d6d6")
BEFORE("wlr93-sensitivity", { { { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 3, 0, 6 } } }, "6c413d", ""
	"4221a15838557a99d0c573c0891905f618cdefef877477e39ef843cd5592d07fe901646e2b7d4961c1919b9d8ba6f7adb009ab234c8011fa90"
	"138fd3e09d726446db481b35b681fc48ab782744b67833935103a023532a0fb7e044d22cddd8ff7921fabaa0e7b29f414baa9f3db31bd3a180"
	"b19bc65a1b29a42fdf2e4713053851e2a3b0ee2b407a74d70a1a20")
BEFORE("rips-table1", { { { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 43, 0, 0, 0, 0 } } }, "d8b7e8", ""
	"b577a196c333621184dbd69728ce36ca1de954b1e28ccd731bb9c619eb393c0c07350c0719eb391cebfc350c07")
BEFORE("rips-table2", { { { 0, 0, 0, 0, 0 }, { 7, 0, 2, 1, 26 }, { 1, 0, 1, 3, 1 }, { 0, 0, 3, 0, 5 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 10, 0, 0, 0, 0 } } }, "76ed8b", ""
	"ba99a3d6e12ee4015641d5316311cabf6ad74afb877041f3")
BEFORE("rips-table3", { { { 0, 0, 0, 0, 0 }, { 0, 0, 0, 6, 22 }, { 0, 0, 4, 0, 5 }, { 1, 0, 10, 10, 24 } } }, "7727a7", ""
	"fef2eb4cfec5acaea0a994e34a257e810bb443f5c9706c81b3b8aaabf369119aabb480fae0baecbb446130b0af6d610c72f883d5fe2ea5b9f9"
	"4030046f582d6002d4e2ede8426124e4778094a8a36ab615b9a0f47ee00146a7d2c41a8263d153afba72a3a7276dfc4aa70fa8")
BEFORE("rips-table4", { { { 0, 0, 0, 0, 0 }, { 3, 0, 8, 9, 109 }, { 3, 8, 10, 12, 18 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 15, 0, 0, 0, 0 } } }, "1aa9f8", ""
	"69ac408b73e09fac6546e073459af270331a5baa90c9d6f399c16528aa3d7421d4344b39a1c5f4fe910ec4816305fc55806429f3c42b4aa304"
	"d2e3091170378c12b800352436cb449bd51feb39b4672c9a859a62b6a7a18427ed0625bfc134afb2e812239acb705592b220bdc18a0aa88da5"
	"9a557b8a02c3db3215c7b32eae7fe9ef30ee069dbb")
BEFORE("rips-table5", { { { 0, 0, 0, 0, 0 }, { 1, 0, 5, 0, 0 }, { 0, 0, 3, 2, 1 }, { 0, 0, 0, 0, 0 }, { 3, 0, 0, 0, 0 }, { 8, 0, 4, 0, 0 } } }, "fcf32c", ""
	"86bcdde6314bb9c4fa21273ac12a3f38cebce586b1baf3d4072bb3")
BEFORE("rips-korf", { { { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 7, 3, 8 } } }, "332e64", ""
	"05100e4a68431513451d72944b359cb041181ac6107d7aa5228445300c70340cbb370c7e")
BEFORE("rips-table6", { { { 1, 5, 7, 4, 31 } } }, "a73cdb", ""
	"d0d35720e8433d48e892a4ab2eecc9eff7131862061f0b7f33a637275e369af05a6d8c90a2e445632dff7ab7072d2c4e532b8f204962172b57"
	"58aa9721464574d52646d4a770f72b5b663505e34500240ce1e688d5c55db98156b60b64f58b514298a804acef4ef9b10dcb886460e7cbd7b6"
	"38146fc9800c26ef720af94e6b056f7258e8b2d88326ccdb3dcee02252e8befa88f82ef23ab08b074ec74b96bc9e72a376ba895956678a84c8"
	"ec67de56a4a65a68b8")
BEFORE("rips-fig9", { { { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 31, 0, 0, 0, 0 } } }, "f8fd02", ""
	"996187db8a610b4bbf318fec74d388993355898019d5ffd39e08532e8d0747b8bcf2fbed8eaf0a5f3c8f58734a5d181228f2af98c0efc70535"
	"2223168d364758912b8200e74f922a2988d486307a4c5c27f9b3909fb3e3ec23e72ba9ced3075e929cba")
BEFORE("rips-fig10", { { { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 4, 0, 7, 3, 18 } } }, "61d9c8", ""
	"7524969911afae44baf7774765384cbf2641c502b1eb3c5f")
BEFORE("rips-fig11", { { { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 4, 0, 31, 6, 40 } } }, "c07c34", ""
	"606a5dd0d291445d5659532c7e2b5cdf4632498da5d66f6a6dcd368a37ff0f0c494f059a66f57d879be1bc797d344029c71fbf78285ee86d82"
	"a5321020cd7de6677b269f43dd51db1021b398cfff902bbe")
BEFORE("rips-switches", { { { 0 } } }, "ae9519", ""
	"84656e0d4f67c0b070c521050b8697bf67a815047230eb2ca56d84ce373568b15c5564de9c87f1d41c9b8efd353e92a5ae27956e9a044f6259"
	"3d83e635eb112f6e2518cf9fc61060")
BEFORE("rips-strategies", { { { 0 } } }, "4399f9", ""
	"c9395e93a58ae32ef3c73129a5c846d55a7fe6faf0c600e98227954724553ea5f9575581b652fd89bcc624913ca10509e35b35131c09e35ada"
	"15a7fef33241c8e36c43d454b7354ed038605d1b2983e9be8318b193cc2724c48168c3d69bd3008f03e65441182b06cb273681d6f773ccfb82"
	"683ffdf9999f6d7476be503c71b0fa1cb791de2f8b1c439b95e424984035")
BEFORE("rips-requests", { { { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 4, 0, 0, 0, 2 } } }, "c6a441", ""
	"b28f5d025935be95d09a825a5411e8df84882706f6b2f63579b76068771b6d62e67970a0cf40e1535cb451b5a41d4cecbe9dd441ac12582877"
	"1c994b3bb83ce6a6ba9e4a03688f748c0a3c1f6bf9f3a58a1b7e7f908f26169a3896ecacb6fbd38a9b62cca6b0e8146928714c7ce1eb11dbb0"
	"54444e443a6f7115f215206714b724147dca44993eb22fb6088b29ad7baa")
BEFORE("rips-scale", { { { 0 } } }, "d543ab", ""
	"a5c09d3c31a6f4d67813c83da665fa24b60abcec2fe257e1623eafcd371b98cab280b846dffc86e9676119019b23b7ade750febe7331f7b8ce"
	"f5008b5bd36b43dc05f5cb82856fe8e1308249d71c9f93e23cedaa3fc31718299a4ae9a83aa7fc18bd2bc2a68f3b760ecadfe538aa21cd7731"
	"8e017196c7d47d5f430391790310577ed60bb3b049f4db84c0cfd8e767a8c6c554dd3061b3d1ed58f06e8696c0a1a17c14f053fa88516a8bb7"
	"e3925f74c2a67f4290")
BEFORE("rips-skew", { { { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 7, 0, 20, 24, 153 } } }, "115ff2", ""
	"2271ce911a68d85c3ede3698459b268946c411a84181ff3e0c350d104dd14c4a74cad82e20ba72232baf0946d42278ca57ce99d9f610654c88"
	"0cad504c37524328d5afd206cc5ac8e8dd69f63d06cf3c3d7bcf555c960b61c6a88132c4cb3a434f55d809b574554e42b31e5c6797e5be8dd3"
	"5cf068")
BEFORE("rips-sensitivity", { { { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 1, 0, 2, 0, 3 } } }, "402e21", ""
	"524eb3f0188b6e2aaecaf4592f30c3ba0c78a5d69763e071588bc78ab32f37d6c8b7b9b6bab78d1978e5acbbe6b569fc4d157d123bfcc5d128"
	"11b087d9bf43faea4fc06f520afb88e2d352294b28ab046a28b94a89211f66133329eaf87a267ea7c764311ba5881f6c42983c317170514ded"
	"1dffce")
BEFORE("aroma-table1", { { { 0, 0, 0, 0, 0 }, { 0, 0, 16, 2, 2 }, { 1, 0, 9, 0, 0 }, { 2, 0, 12, 1, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 1, 0, 0, 0, 0 } } }, "cf374d", ""
	"7e84e8ac685379f1709b03b7561a67e051057a19e5c3d7ab3290fbf0a6438403a8b1da21139fe7e00177f6039a")
BEFORE("aroma-table2", { { { 0, 0, 8, 2, 2 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 8, 2, 2 }, { 4, 0, 8, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 4, 0, 0 } } }, "d8dd2c", ""
	"2efd0d085cae2c71bfbb6ce234d4ab79b084ef0f83e797fec6c08dde165b6c285636a4ef")
BEFORE("aroma-table3", { { { 3, 0, 11, 4, 3 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 1, 3, 2 }, { 5, 0, 7, 0, 0 } } }, "0796ff", ""
	"3645c72b4683c7105403bd5080c106bffb9a2844a151746c91c13b8fca212aabfd58d576224233275976d06b425af02c0855d6ea56c505249d"
	"0d960407e6ca5d2359c6cc150bfcac")
BEFORE("aroma-table4", { { { 0, 0, 0, 0, 0 }, { 0, 0, 7, 0, 1 }, { 0, 0, 1, 0, 0 }, { 0, 0, 5, 0, 1 }, { 3, 0, 0, 0, 0 }, { 1, 0, 1, 0, 0 } } }, "ef73ec", ""
	"7aca2830a81e2a0a48b8ee5032b57a099d18bc2604a9289be2ed30989b86757176b555e8")
BEFORE("aroma-fig1c", { { { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 4, 0, 0, 0, 0 } } }, "3ac756", ""
	"53107c2c2d87f0fc0aab0e579edfc2dc906ad46594834e53f47b7ebc427300d3ca7dd680ffc09b578be4e9daac")
BEFORE("aroma-groups", { { { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 9, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 9, 0, 0, 0, 0 }, { 8, 0, 0, 0, 0 } } }, "558597", ""
	"75a2c5b7e643ad0dfd330a5cc5dfeb")
BEFORE("aroma-controls", { { { 0 } } }, "d20b9a", ""
	"c9689b319ca701462697ee1227ff642f2b3f761f84e27eea8df105a98193fa3eb4947e8e48ab8cf5aecb32568ac86110cc6a96bff997a0eec7"
	"f15be19fc38db577d0dd718b39812bde2ba6fe0024cdda9395cba04c74ea53ece8c02d8b9d31bae72a5e")
BEFORE("aroma-sensitivity", { { { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 2, 1, 1 } } }, "8c40c5", ""
	"08c5b52f122bb69206acfe91a7fd2d2b7928f6887e407e560c56bcfaf99508796331fd9ed2d31b4006562a28c5751a16929f8300f17171268c")
BEFORE("repart-groups", { { { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 6, 0, 0, 0, 0 } } }, "e77306", ""
	"a07aea8f13477fdea254a7f566e24ae6ded8f7398490628b6ab278cde7abca3dcee2ef1b276efa239a29da439838f8b415dd2aaa2820069d54"
	"4f2f60db2b099ab527cbb21d7ea38e443a2114001d232c3023b99cabc7fab52e0477aced")
BEFORE("repart-fig52", { { { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 3, 0, 0, 0, 0 } } }, "b24ab4", ""
	"1a45d32798f0b8df94a447c72bb640385873b38ead5febb15092511d2c5ce78d20ff986ddcf685da14b952e33e9bd812")
BEFORE("repart-table51", { { { 0, 0, 0, 0, 0 }, { 7, 17, 0, 0, 4 }, { 0, 4, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 5, 0, 0, 0, 1 }, { 36, 0, 0, 0, 9 } } }, "eb7c45", ""
	"69e0688b5c16b5a8f81bcf9d5a5abea8643598e96ca80f3b42af03163b7992658f7064a903baea87f7a845862b44595fd3faad226465be4efb"
	"ef1caaadc75f0a161b2d38ba4235be07bb5699fb3bba503b5627508a8b27aff6b2d6c7c45ada7bf226be3c21e0312b09df495d7167c90d1303"
	"cf9d20e256a18ee892201ffbc4acbb84750b190c2b2e650ccfee13cf4edeb79c9406f1dc353b89ce55645db23f691b20438789d00e798d0d33"
	"a79da9b28015a9e763b6398ebac74584c465aec97da80ca57a01077d6e8147bad104bc9089f54c8cf902c4f827116bbc2c65cfd6cc3ca6b7ca"
	"296a2468f6234cf2471135735edda6b60f987f71b51f266db91ada74192f10f4e56b042359a4dc2aca1162fa6470fdd5a8fe58f91dfa374b92"
	"b1276ca70015904f27e67fa5bd3b271899af4d78a2ee89b98bce7668d15f3d719c93b7126e2587bf240c638678d7ef84d44a90")
BEFORE("repart-controls", { { { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 4, 0, 0, 0, 0 } } }, "362cd4", ""
	"adfede9014ccd847150203870dbcbc6bc1a35fcba10ae6a2f41dc44beb76125d40f350dd1a335af065ee2a0e8bf569858caef6557812350c07"
	"511f95")
BEFORE("repart-queues", { { { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 3, 0, 0, 0, 0 } } }, "a29b0a", ""
	"f212a6050baecc2f0e2465b0526fce08878cd018723c8f085a8d86")
BEFORE("repart-threads", { { { 0 } } }, "93bdf1", ""
	"350c07350c07350c077b9532")
BEFORE("repart-sensitivity", { { { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 1, 0, 2, 1, 2 } } }, "6f709f", ""
	"335473eebc25edef66d0b875e823e0b1bb819fed4bc5a940104a370633fea8a103b49c0ba92214fa744bcb094398b648d1506dc87ca892d2bd"
	"478a557dbc752a0f39e5f49c")
BEFORE("frac-locality", { { { 0 } } }, "25168d", ""
	"d49755db090d072d3e1d15cef7d6a085648fffaf8a665b5d")
BEFORE("frac-bodies", { { { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, { 4, 0, 0, 0, 0 } } }, "6c6d18", ""
	"c4274435f5c12b79d11d12a4aac37ced11c018b10638f3986b5acdffe1fedf5637baec0ff22b2535e17c")
