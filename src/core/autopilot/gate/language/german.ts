import { spacedLanguage } from "./spaced.ts";

export const GERMAN = spacedLanguage({
  code: "de",
  name: "German",
  script: "latin",
  hasCompounds: true,
  leadsOn:
    /(?<![a-z])(?:ja|ok|okay|weiter|fortfahr|fortsetz|mach|los|anfang|beginn|start|passt|stimmt|gut|einverstanden|bestatig|fertig|bereit|richtig|genau|nachst)/,
  // Who is asked to do "that" does not know what it is.
  pointing: [
    /(?<![a-z])(?:mach|gemacht|tu[ent]|durchfuhr|umsetz)/u,
    /(?<![a-z])(?:das|dies[a-z]*|so|es|damit|alles)(?![a-z])/u,
  ],
  doingNothing:
    "abbrechen, überspringen, nein, nicht jetzt, später, noch nicht, so lassen, unverändert, stopp, etwas anderes, du entscheidest",
  endings: "e en em er es n s st t te ten ter tes est ere eren eres nd",
  words: `
    eins zwei drei vier fünf sechs sieben acht neun zehn zwanzig fünfzig hundert eintrag einträge einträgen konvention* namenskonvention*
    schreibweise* einheitliche ergebnis* ergebnisse* anzahl höhe breite länge größe* position* stelle* platz platzierung* animation* übergang
    übergänge layout* design* hintergrund* vordergrund* rahmen schatten ecke* ecken rundung* zoom karten vorgehen vorgehensweise* richtung*
    logik* schleife* bedingung* parameter* rückgabe* objekt* schnittstelle* grundlage* grundlagen leserlich* deutlich* natürlich* hilfe*
    hilfetext* platzhalter* beschriftung* beschriftungen button buttons artikel produkt* produkte übersicht* startseite* unterseite* fließtext
    zitat* quelle* bericht* berichte statistik* durchschnitt* summe* teilmenge* vollständig* teilweise optional* erforderlich* pflichtfeld*
    zulässig* gültig* ungültig* leerzustand* ladezustand* ladeanzeige* fortschrittsbalken spielfeld* spielfigur* gegner* punktestand runde*
    schwierigkeit* schwierigkeitsgrad* einfacher schneller ausreichend* reicht reichen vorher nachher beim ins ans ich wir du ihr sie man mir
    mich uns euch dir dich der die das den dem des ein eine einen einem einer eines kein* und oder aber auch als wie was wer wo wann warum wozu
    womit wofür welch* dies* jed* beid* mehrer* einig* viel* wenig* mehr weniger am im in an auf aus bei mit nach von vom vor zu zum zur über
    unter neben zwischen durch für gegen um bis seit pro je ist sind war waren bin bist sein hat haben habe hast hätte hätten wird werden würde
    würdest würden soll sollen sollte sollten sollst kann können könnte könnten darf dürfen muss müssen möchte möchtest möchten magst mag will
    willst wollen lieber gern* gerne bitte ja nein nicht nichts noch schon nur sehr so dann wenn falls ob dass weil da hier dort jetzt zuerst
    erst erste* ersten zweit* dritt* letzt* nächst* später eher genau genug etwa fast manchmal oft selten sonst statt zusammen einzeln gleich
    anders besser beste* gut* schlecht* schön* einfach* leicht* kurz* lang* klein* groß* größer* kleiner* kürzer* länger* breit* schmal* hoch
    hohe* niedrig* fertig bereit weiter weitermachen weitermache weitermachst fortfahren fortfahre fortsetzen fortsetze anfangen anfange beginn*
    machen mache machst macht verwend* benutz* nutz* zeig* gezeigt anzeig* angezeigt darstell* dargestellt aussehen aussieht steh* gestanden
    lieg* liegen heiß* heissen nenn* benannt benenn* schreib* geschrieben lesen liest les* lesbar* erklär* beschreib* ergänz* hinzufüg* hinzugefügt formatier*
    sortier* gruppier* filter* prüf* test* getestet vergleich* wähl* auswähl* auswahl entscheid* bevorzug* empfohlen* empfehl* vorschlag
    vorschläge beginnen betonen hervorheb* unterstütz* abdeck* enthalt* enthält umfass* gestalt* aufbau* strukturier* gliedern gegliedert skizz*
    zeichn* entwurf entwürfe refaktor* vereinfach* dokumentier* kommentier* übersetz* runden gerundet rund* zähl* messen rechnen berechn*
    einrück* ausricht* ausgerichtet farb* blau* rot* grün* gelb* grau* schwarz* weiß* weiss* orange braun* lila rosa türkis hell* dunkel* dunkl*
    kontrast* bunt* farbe farben ton töne stil stile optik schrift* schriften schriftart* schriftgröße überschrift* titel* untertitel* text*
    texte wort wörter satz sätze absatz absätze zeile* zeilen spalte* spalten seite* seiten rand ränder abstand abstände knopf knöpfe
    schaltfläch* taste menü* menüs leiste* kopfzeile* fußzeile* seitenleiste* symbol* bild* bilder diagramm* balken linie* linien kreis* kachel*
    kacheln raster* liste* listen tabelle* tabellen feld* felder formular* formulare eingabe* ausgabe* hinweis* hinweise meldung* meldungen
    fehlermeldung* fehler* beispiel* beispiele anleitung* dokumentation* doku kommentar* kommentare beschreibung* beschreibungen einleitung*
    zusammenfassung* abschnitt* kapitel* inhalt* inhalte sprache* sprachen deutsch* englisch* französisch* spanisch* name* namen bezeichnung*
    bezeichner* funktion* funktionen klasse* klassen modul* module methode* methoden variable* variablen typ* typen format* formate datum*
    uhrzeit* zeitzone* zeit* zahl* zahlen nummer* einheit* einheiten meter kilometer meilen grad prozent stellen nachkommastell* dezimal* tag*
    woche* monat* jahr* jahre minute* minuten sekunde* sekunden stunde* stunden morgen januar februar märz april mai juni juli august september
    oktober november dezember montag dienstag mittwoch donnerstag freitag samstag sonntag ansatz ansätze variante* varianten möglichkeit*
    möglichkeiten reihenfolge* ordnung* struktur* strukturen architektur* muster* bibliothek* bibliotheken framework* datenbank* werkzeug*
    version* versionen umfang* funktionsumfang merkmal* suche* suchen suchfeld* ansicht* ansichten vorschau* standard* standardwert*
    standardmäßig einstellung* wert* werte bereich* bereiche teil* teile fall* fälle fällen grenzfall* grenzfälle randfall* randfälle
    testabdeckung abdeckung* testfall* testfälle komponente* komponenten oberfläche* anfänger* fortgeschritten* ziel* ziele zweck* frage* fragen
    antwort* antworten thema* themen detail* details detailliert* ausführlich* knapp* umfassend* gründlich* minimal* mittel* maximal* links
    rechts oben unten mitte mittig zentriert* vertikal* horizontal* nebeneinander untereinander innen außen vorne hinten hinter alphabetisch*
    chronologisch* absteigend* aufsteigend* förmlich* formell* locker* freundlich* sachlich* verspielt* modern* klassisch* schlicht* elegant*
    ruhig* lebendig* flach* eckig* fett kursiv groß kleingeschrieben großgeschrieben einzahl mehrzahl singular plural englische deutsche
    einrückung* leerzeichen tabs tabulator* anführungszeichen einfache doppelte semikolon* komma* punkt* bindestrich* unterstrich* klammer*
    zeilenlänge* spiel* spieler* punkte level figur* spiele einverstanden passt stimmt richtig* falsch* ok okay prima super danke gern
    vielleicht egal sinnvoll* wichtig* wichtigst* wichtigsten nötig* hilfreich* üblich* gewohnt* bekannt* verständlich* übersichtlich*
    lesbarkeit wartbar* konsistent* einheitlich* schnell* langsam* genau* präzise* robust* flexibel flexibl* zeitpunkt* fortschritt* ablauf*
    parser warenkorb*
  `,
  alarms: {
    "destroying or replacing": {
      stems: `losch gelosch entfern uberschreib verwerf verworf zuruckset ausleer entleer raum aufraum ausraum abraum wegwerf wegnehm vernicht zerstor tilg beseitig ausmist entsorg stilleg abschalt abreiss ersetz austausch umbenenn verschieb verschob
        ruhestand pension abloes ablos aussortier kapp trenn verlier verlor endgultig unwiderruf sauber bereinig verabschied tschuss`,
      whole: "leere leeren leert leer weg alt alte alten alter altes raus",
    },
    "going out to others": {
      stems: `veroffentlich freigeb freigab ausliefer ausroll hochlad schick verschick send versend versand melde benachrichtig einlad kund mitglied offentlich produktiv produktion livegang mitteil zweig uberspiel bekanntgeb welt abonnent`,
    },
    "the machine and what runs on it": {
      stems: `rechner maschin starte neustart einricht festplatt netz umgebung ordner verzeichnis skript befehl programm paket abhangigkeit laufen`,
      whole: "dienst dienste dienstes ausfuhren ausfuhre ausfuhrt",
    },
    "guards and autonomy": {
      stems: `erlaub genehmig berechtig zugriff zugang schutz sicher umgeh deaktivier abstell aushebel selbststand allein unbeaufsicht eigenmacht ohne ungefragt vollmacht garant`,
      phrases: [
        /(?<![a-z])(?:bist|seid|sind|sei)(?![a-z])[\s\S]*(?<![a-z])(?:einverstanden|sicher)/,
        /(?<![a-z])(?:obwohl|obgleich|trotz)/,
      ],
    },
    "secrets and accounts": {
      stems: `geheim passwort kennwort schlussel zugangsdat konto konten anmeld privat personlich vertraulich`,
    },
    "cost and models": {
      stems: `kost preis bezahl kauf tarif abo geld miet buch rechnung gebuhr kredit bank kontingent guthaben modell`,
    },
  },
});
